import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Levers, PackItem, Redecided, RunDetail } from "../../../contract/api/index.ts";
import { call } from "../../data/call.ts";
import { useRunSource } from "../../data/run-source.ts";
import { Failure } from "../../text/states.tsx";
import { sayName, showHidden } from "../../text/words.ts";

type Setting = PackItem["settings"][number];

/** Thresholds to drag: the decision is made again over the recorded turns, and no call is made. */
export function WhatIf({ detail }: { detail: RunDetail }) {
  const { id, pack } = detail.run;
  const source = useRunSource();
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => call("listPacks", "/api/packs") });
  const levers = useQuery({ queryKey: ["levers", id], queryFn: () => source.findLevers(id) });
  const [changed, setChanged] = useState<Record<string, string>>({});
  const redecide = useMutation({
    mutationFn: (set: string[]) => call("redecideRun", `/api/runs/${id}/redecide`, { set }),
  });
  const { mutate } = redecide;
  useEffect(() => {
    const set = Object.entries(changed).map(([key, value]) => `${key}=${value}`);
    if (set.length > 0) mutate(set);
  }, [changed, mutate]);
  const settings = (packs.data?.packs.find(({ name }) => name === pack)?.settings ?? []).filter(isDraggable);
  const known = new Set(levers.data?.levers.map(({ setting }) => setting));
  const rank = ({ key, kind }: Setting) => Number(known.has(key)) * 2 + Number(kind === "number");
  const shown = [...settings].sort((a, b) => rank(b) - rank(a)).slice(0, 12);
  return (
    <section className="section" aria-label="What would change it">
      <h2>What would change it</h2>
      <p className="secondary">Settings act on the recorded turns; no call is made.</p>
      {levers.data && <LeverList levers={levers.data} onTry={(key, value) => setChanged({ [key]: value })} />}
      <Outcome redecided={redecide.data} isChanged={Object.keys(changed).length > 0} />
      {redecide.isError && <Failure error={redecide.error} />}
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
      {Object.keys(changed).length > 0 && (
        <div>
          <button onClick={() => setChanged({})}>As it was</button> <KeepBranch detail={detail} changed={changed} />
        </div>
      )}
    </section>
  );
}

/** Makes a change stay: a branch with these settings, which plays only the last step again. */
function KeepBranch({ detail, changed }: { detail: RunDetail; changed: Record<string, string> }) {
  const [, navigate] = useLocation();
  const last = detail.turns.at(-1)?.id;
  const branch = useMutation({
    mutationFn: () =>
      call("branchRun", `/api/runs/${detail.run.id}/branch`, {
        from: last,
        set: Object.entries(changed).map(([key, value]) => `${key}=${value}`),
      }),
    onSuccess: ({ id }) => navigate(`/runs/${id}`),
  });
  if (!last) return null;
  return (
    <>
      <button
        className="primary"
        title={`Plays ${last} again, and nothing before it`}
        disabled={branch.isPending}
        onClick={() => branch.mutate()}
      >
        Keep it as a branch
      </button>
      {branch.isError && <Failure error={branch.error} />}
    </>
  );
}

function LeverList({ levers, onTry }: { levers: Levers; onTry: (key: string, value: string) => void }) {
  if (levers.levers.length === 0) return <p>{`None of ${levers.tried} single settings would change the decision.`}</p>;
  return (
    <ul>
      {levers.levers.map(({ setting, from, to, direction, flips }) => (
        <li key={setting}>
          <code>{setting}</code> {String(from)} → {String(to)} {direction ?? ""}:{" "}
          {flips.map(({ name, before, after }) => `${sayName(name)} ${before} → ${after}`).join(", ")}{" "}
          <button className="plain" onClick={() => onTry(setting, String(to))}>
            try it
          </button>
        </li>
      ))}
    </ul>
  );
}

function Outcome({ redecided, isChanged }: { redecided: Redecided | undefined; isChanged: boolean }) {
  if (!isChanged || !redecided) return null;
  const { headline, outcome, rules } = redecided;
  const isSame = headline.length === 0 && outcome.before === outcome.after;
  return (
    <div className="whatif" role="status">
      <strong className={isSame ? "secondary" : "warn"}>
        {isSame ? "The decision stays the same." : "The decision changes:"}
      </strong>
      {headline.map(({ name, before, after }) => (
        <p key={name}>{`${sayName(name)}: ${showHidden(before)} → ${showHidden(after)}`}</p>
      ))}
      {outcome.before !== outcome.after && <p>{`outcome: ${outcome.before} → ${outcome.after}`}</p>}
      {rules.length > 0 && (
        <p className="secondary">{`rules that decide otherwise: ${rules.map(({ rule, about }) => `${rule} ${about}`).join(", ")}`}</p>
      )}
    </div>
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
