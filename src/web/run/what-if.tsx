import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Levers, PackItem, RunDetail } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useWhy } from "../data/follow-run.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";
import { KeepBranch, RedecidedView, sayNone } from "./why-line.tsx";

type Setting = PackItem["settings"][number];

/** Thresholds to drag: the decision is made again over the recorded turns, and no call is made. */
export function WhatIf({ detail }: { detail: RunDetail }) {
  const { id, pack } = detail.run;
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => callApi("listPacks", {}) });
  const why = useWhy(detail);
  const levers = why.data?.levers;
  const [changed, setChanged] = useState<Record<string, string>>({});
  const redecide = useMutation({
    mutationFn: (set: string[]) => callApi("redecideRun", { params: { id }, body: { set } }),
  });
  const { mutate } = redecide;
  const set = useMemo(() => Object.entries(changed).map(([key, value]) => `${key}=${value}`), [changed]);
  useEffect(() => {
    if (set.length > 0) mutate(set);
  }, [set, mutate]);
  const settings = (packs.data?.packs.find(({ name }) => name === pack)?.settings ?? []).filter(isDraggable);
  const known = new Set(levers?.levers.map(({ setting }) => setting));
  const rank = ({ key, kind }: Setting) => Number(known.has(key)) * 2 + Number(kind === "number");
  const shown = [...settings].sort((a, b) => rank(b) - rank(a)).slice(0, 12);
  if (why.isLoading || packs.isPending) return <Skeleton lines={6} />;
  return (
    <section className="section" aria-label="What would change it">
      <h2>What would change it</h2>
      <p className="secondary">Settings act on the recorded turns; no call is made.</p>
      {levers && <LeverList levers={levers} onTry={(key, value) => setChanged({ [key]: value })} />}
      <div className="whatif-grid">
        <div className="levers">
          {shown.map((setting) => (
            <Dial
              key={setting.key}
              setting={setting}
              now={readSetting(detail.manifest.config, setting.key)}
              value={changed[setting.key]}
              onChange={(value) => setChanged((before) => ({ ...before, [setting.key]: value }))}
            />
          ))}
        </div>
        <div className="whatif-live">
          {set.length === 0 && <p className="secondary">Move a setting: the decision as it would be appears here.</p>}
          {set.length > 0 && redecide.data && <RedecidedView redecided={redecide.data} />}
          {set.length > 0 && redecide.isError && <Failure error={redecide.error} />}
          {set.length > 0 && (
            <p className="why-acts">
              <button onClick={() => setChanged({})}>As it was</button>{" "}
              {redecide.data?.from != null && <KeepBranch detail={detail} set={set} from={redecide.data.from} />}
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function LeverList({ levers, onTry }: { levers: Levers; onTry: (key: string, value: string) => void }) {
  if (levers.levers.length === 0) return <p>{sayNone(levers)}</p>;
  return (
    <ul>
      {levers.levers.map(({ setting, from, to, direction, flips }) => (
        <li key={setting}>
          <code>{setting}</code> {String(from)} → {String(to)} {direction ?? ""}:{" "}
          {flips.map(({ name, before, after }) => `${sayName(name)} ${before} → ${after}`).join(", ")}{" "}
          <button className="plain" onClick={() => onTry(setting, typeof to === "string" ? to : JSON.stringify(to))}>
            try it
          </button>
        </li>
      ))}
    </ul>
  );
}

type DialProps = { setting: Setting; now: unknown; value: string | undefined; onChange: (value: string) => void };

function Dial({ setting, now, value, onChange }: DialProps) {
  const current = value ?? String(now);
  if (setting.kind === "boolean" || setting.kind === "choice") {
    const choices = setting.kind === "boolean" ? ["true", "false"] : setting.choices;
    return (
      <div className="lever">
        <label htmlFor={`set-${setting.key}`}>{setting.key}</label>
        <select id={`set-${setting.key}`} value={current} onChange={(event) => onChange(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
        <span />
      </div>
    );
  }
  const at = Number(now);
  const most = setting.kind === "integer" ? Math.max(4, at * 2) : at <= 1 ? Math.max(1, at) : at * 2;
  return (
    <div className="lever">
      <label htmlFor={`set-${setting.key}`} title={setting.about}>
        {setting.key}
      </label>
      <input
        id={`set-${setting.key}`}
        type="range"
        min={0}
        max={most}
        step={setting.kind === "integer" ? 1 : most / 40}
        value={current}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="number">{Number(Number(current).toFixed(3))}</span>
    </div>
  );
}

function isDraggable({ kind, key }: Setting): boolean {
  return kind !== "other" && key !== "protocol";
}

function readSetting(config: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => {
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[part] : undefined;
  }, config);
}
