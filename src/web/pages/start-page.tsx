import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { PackItem } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { type Field, tidyValue } from "../form/field.ts";
import { type CaseDraft, CaseInput } from "../start/case-input.tsx";
import { CastPicker } from "../start/cast-picker.tsx";
import { Estimate } from "../start/estimate.tsx";
import { nestSettings, Settings } from "../start/settings.tsx";
import { Failure, Skeleton } from "../text/states.tsx";
import { sayName } from "../text/words.ts";

/** Start a debate: a pack, a case, who plays, and what it may cost. */
export default function StartPage() {
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => call("listPacks", "/api/packs"), staleTime: Infinity });
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
    mutationFn: () => call("startRun", "/api/runs", body),
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) start.mutate();
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
): { body: Record<string, unknown> | null; problem: string | null } {
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
