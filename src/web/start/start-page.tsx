import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { CastItem, PackItem, StartRun } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { type Field, tidyValue } from "../form/field.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";
import { type CaseDraft, CaseInput } from "./case-input.tsx";
import { Estimate } from "./estimate.tsx";

/** Start a debate: a pack, a case, who plays, and what it may cost. */
export default function StartPage() {
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => callApi("listPacks", {}), staleTime: Infinity });
  const [search, setSearch] = useSearchParams();
  if (packs.isPending) return <Skeleton lines={8} />;
  if (packs.isError) return <Failure error={packs.error} again={() => void packs.refetch()} />;
  const all = packs.data.packs;
  const pack = all.find(({ name }) => name === search.get("pack")) ?? all[0];
  if (!pack) return null;
  return (
    <div className="start">
      <h1>Start a debate</h1>
      <fieldset className="choices packs">
        <legend>What is it about?</legend>
        {all.map(({ name, summary }) => (
          <label key={name}>
            <input
              type="radio"
              name="pack"
              checked={name === pack.name}
              onChange={() => setSearch({ pack: name }, { replace: true })}
            />
            <span>
              <strong>{sayName(name)}</strong>
              <span className="secondary">{summary}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <StartForm key={pack.name} pack={pack} usual={packs.data.defaultCast} />
    </div>
  );
}

function StartForm({ pack, usual }: { pack: PackItem; usual: string }) {
  const [, go] = useLocation();
  const [given, setGiven] = useState<CaseDraft>({
    way: pack.takesText ? "text" : "fields",
    text: "",
    fields: {},
    json: "",
  });
  const [cast, setCast] = useState(pack.casts.some((one) => one.cast === usual) ? usual : (pack.casts[0]?.cast ?? ""));
  const [limits, setLimits] = useState({ calls: "", usd: "" });
  const [settings, setSettings] = useState<Record<string, string>>({});
  const { body, problem } = useMemo(
    () => makeBody(pack, given, { cast, limits, settings }),
    [pack, given, cast, limits, settings],
  );
  const start = useMutation({
    mutationFn: (given: StartRun) => callApi("startRun", { body: given }),
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) start.mutate(body);
  };
  return (
    <form className="start-form" onSubmit={submit}>
      <CaseInput pack={pack} value={given} onChange={(changes) => setGiven((before) => ({ ...before, ...changes }))} />
      <div className="form terms">
        <CastPicker casts={pack.casts} value={cast} onChange={setCast} />
        <div className="row">
          {(["calls", "usd"] as const).map((limit) => (
            <div key={limit} className="field">
              <label htmlFor={limit}>{limit === "calls" ? "At most calls" : "At most USD"}</label>
              <input
                id={limit}
                type="number"
                min={0}
                step={limit === "calls" ? 1 : 0.01}
                placeholder="no limit"
                value={limits[limit]}
                onChange={(event) => setLimits((before) => ({ ...before, [limit]: event.target.value }))}
              />
            </div>
          ))}
        </div>
        <Settings pack={pack} value={settings} onChange={setSettings} />
        <section aria-label="What it would cost" className="estimate">
          <h2>What it would cost</h2>
          {problem ? <p className="bad">{problem}</p> : <Estimate body={body} />}
        </section>
        {start.isError && <Failure error={start.error} />}
        <div>
          <button className="primary" disabled={body === null || start.isPending}>
            {start.isPending ? "Starting" : "Start"}
          </button>
        </div>
      </div>
    </form>
  );
}

type Terms = { cast: string; limits: { calls: string; usd: string }; settings: Record<string, string> };

/** What is sent to start a run; null while there is no case yet, with what is wrong with it when something is. */
function makeBody(
  pack: PackItem,
  { way, text, fields, json }: CaseDraft,
  { cast, limits, settings }: Terms,
): { body: StartRun | null; problem: string | null } {
  const budget = {
    ...(limits.calls !== "" && { calls: Number(limits.calls) }),
    ...(limits.usd !== "" && { usd: Number(limits.usd) }),
  };
  const terms = { pack: pack.name, cast, budget, config: nestSettings(pack, settings) };
  if (way === "text") return { body: text.trim() === "" ? null : { ...terms, text }, problem: null };
  if (way === "fields") {
    const required = (pack.input as Field).required ?? [];
    const input = tidyValue(pack.input, fields) as Record<string, unknown>;
    const isThere = required.every((key) => input[key] !== undefined && input[key] !== "");
    return { body: isThere && Object.keys(input).length > 0 ? { ...terms, input } : null, problem: null };
  }
  if (json.trim() === "") return { body: null, problem: null };
  try {
    return { body: { ...terms, input: JSON.parse(json) as unknown }, problem: null };
  } catch (error) {
    return { body: null, problem: `That is not JSON yet: ${(error as Error).message}` };
  }
}

type Props = { casts: CastItem[]; value: string; onChange: (cast: string) => void };

/** Who may play, with the roles each plays and what it costs. */
function CastPicker({ casts, value, onChange }: Props) {
  return (
    <fieldset className="choices cast-picker">
      <legend>Who plays</legend>
      {casts.map(({ cast, players }) => (
        <label key={cast}>
          <input type="radio" name="cast" checked={cast === value} onChange={() => onChange(cast)} />
          <span>
            <strong>{cast}</strong>
            {players.map(({ player, roles, price }) => (
              <span key={player} className="secondary">
                {`${players.length > 1 || player !== cast ? `${player}: ` : ""}${sayRoles(roles.length)}, ${sayPrice(player, price)}`}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function sayRoles(count: number): string {
  return count === 1 ? "one role" : `${count} roles`;
}

function sayPrice(player: string, price: { input: number; output: number } | null): string {
  if (player === "person") return "a person, who answers in the inbox";
  if (price === null) return "price unknown";
  if (price.input === 0 && price.output === 0) return player === "expert" ? "built-in programs, free" : "free";
  return `$${price.input} in, $${price.output} out per million tokens`;
}

type SettingsProps = {
  pack: PackItem;
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
};

/** The pack's settings that one may want to change before the start; what is not touched keeps its default. */
function Settings({ pack, value, onChange }: SettingsProps) {
  const settings = pack.settings.filter(({ kind }) => kind !== "other");
  const count = Object.keys(value).length;
  return (
    <details>
      <summary>{`Settings${count > 0 ? ` (${count} changed)` : ""}`}</summary>
      <div className="settings">
        {settings.map(({ key, about, kind, choices, default: usual }) => {
          const options = kind === "boolean" ? ["true", "false"] : choices;
          const set = (next: string) => {
            const { [key]: _before, ...rest } = value;
            onChange(next === "" || next === String(usual) ? rest : { ...rest, [key]: next });
          };
          return (
            <label key={key} title={about}>
              <span className="mono">{key}</span>
              {options.length > 0 ? (
                <select value={value[key] ?? String(usual)} onChange={(event) => set(event.target.value)}>
                  {options.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </select>
              ) : (
                <input
                  type="number"
                  step="any"
                  placeholder={String(usual)}
                  value={value[key] ?? ""}
                  onChange={(event) => set(event.target.value)}
                />
              )}
            </label>
          );
        })}
      </div>
    </details>
  );
}

/** Settings by dotted key as the config object that a run takes. */
function nestSettings(pack: PackItem, value: Record<string, string>): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(value)) {
    const kind = pack.settings.find((setting) => setting.key === key)?.kind;
    const parts = key.split(".");
    const last = parts.pop() ?? key;
    const place = parts.reduce((inner, part) => (inner[part] ??= {}) as Record<string, unknown>, config);
    place[last] = kind === "boolean" ? text === "true" : kind === "choice" ? text : Number(text);
  }
  return config;
}
