import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { CastItem, PackItem, StartRun } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useApi } from "../data/use-api.ts";
import { type Field, tidyValue } from "../../contract/form.ts";
import { FileDrop } from "../form/file-drop.tsx";
import { NumberField, PartsFields } from "../form/schema-field.tsx";
import { Failure, Loaded } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";

export default function StartPage() {
  const packs = useApi("listPacks", {}, { staleTime: Infinity });
  const [search, setSearch] = useSearchParams();
  if (!packs.data) return <Loaded query={packs}>{() => null}</Loaded>;
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

type CaseDraft = { way: "text" | "fields"; text: string; fields: Record<string, unknown> };

const wayWords = { text: "As text", fields: "Field by field" } as const;

function StartForm({ pack, usual }: { pack: PackItem; usual: string }) {
  const [, go] = useLocation();
  const [given, setGiven] = useState<CaseDraft>({ way: pack.takesText ? "text" : "fields", text: "", fields: {} });
  const [cast, setCast] = useState(pack.casts.some((one) => one.cast === usual) ? usual : (pack.casts[0]?.cast ?? ""));
  const [limits, setLimits] = useState({ calls: "", usd: "" });
  const start = useMutation({
    mutationFn: (body: StartRun) => callApi("startRun", { body }),
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const input = readCase(pack, given);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const budget = Object.fromEntries(
      Object.entries(limits).flatMap(([name, limit]) => (limit === "" ? [] : [[name, Number(limit)]])),
    );
    if (input) start.mutate({ pack: pack.name, cast, budget, ...input });
  };
  return (
    <form className="start-form" onSubmit={submit}>
      <CaseInput pack={pack} value={given} onChange={(changes) => setGiven((before) => ({ ...before, ...changes }))} />
      <div className="form terms">
        <CastPicker casts={pack.casts} value={cast} onChange={setCast} />
        <div className="row">
          {(["calls", "usd"] as const).map((limit) => (
            <NumberField
              key={limit}
              label={limit === "calls" ? "At most calls" : "At most USD"}
              min={0}
              step={limit === "calls" ? 1 : 0.01}
              placeholder="no limit"
              value={limits[limit]}
              onChange={(value) => setLimits((before) => ({ ...before, [limit]: value }))}
            />
          ))}
        </div>
        {start.isError && <Failure error={start.error} />}
        {input === null && <p className="secondary">Give the case first.</p>}
        <div>
          <button className="primary" disabled={input === null || start.isPending}>
            {start.isPending ? "Starting…" : "Start the debate"}
          </button>
        </div>
      </div>
    </form>
  );
}

function readCase(pack: PackItem, { way, text, fields }: CaseDraft): { text: string } | { input: unknown } | null {
  if (way === "text") return text.trim() === "" ? null : { text };
  const input = tidyValue(pack.input, fields) as Record<string, unknown>;
  const required = (pack.input as Field).required ?? [];
  const isWhole = required.every((key) => input[key] !== undefined && input[key] !== "");
  return isWhole && Object.keys(input).length > 0 ? { input } : null;
}

type CaseProps = { pack: PackItem; value: CaseDraft; onChange: (changes: Partial<CaseDraft>) => void };

function CaseInput({ pack, value, onChange }: CaseProps) {
  return (
    <section className="form" aria-label="The case">
      <div className="page-head">
        <h2>The case</h2>
        {pack.takesText && (
          <div className="segments" role="group" aria-label="How the case is given">
            {(["text", "fields"] as const).map((way) => (
              <button key={way} type="button" aria-pressed={value.way === way} onClick={() => onChange({ way })}>
                {wayWords[way]}
              </button>
            ))}
          </div>
        )}
      </div>
      {value.way === "text" ? (
        <>
          <textarea
            id="case-text"
            aria-label="The case as text"
            placeholder="A question, a sentence, a log"
            rows={5}
            value={value.text}
            onChange={(event) => onChange({ text: event.target.value })}
          />
          <FileDrop
            label="Or take the text from files"
            onFiles={(files) => onChange({ text: files.map((file) => file.text).join("\n") })}
          />
        </>
      ) : (
        <PartsFields
          field={pack.input}
          value={value.fields}
          hidden={["id"]}
          onChange={(fields) => onChange({ fields })}
        />
      )}
      <p className="row">
        <span className="secondary">Or begin with an example:</span>
        {pack.examples.map(({ name, input }) => (
          <button
            key={name}
            type="button"
            className="plain"
            onClick={() => onChange({ way: "fields", fields: input as CaseDraft["fields"] })}
          >
            {name}
          </button>
        ))}
      </p>
    </section>
  );
}

type CastProps = { casts: CastItem[]; value: string; onChange: (cast: string) => void };

function CastPicker({ casts, value, onChange }: CastProps) {
  return (
    <fieldset className="choices">
      <legend>Who plays</legend>
      {casts.map(({ cast, players }) => (
        <label key={cast}>
          <input type="radio" name="cast" checked={cast === value} onChange={() => onChange(cast)} />
          <span>
            <strong>{cast}</strong>
            {players.map(({ player, roles, price }) => (
              <span key={player} className="secondary">
                {`${player === cast ? "" : `${player}: `}${roles.length === 1 ? "one role" : `${roles.length} roles`}, ${sayPrice(player, price)}`}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function sayPrice(player: string, price: { input: number; output: number } | null): string {
  if (player === "person") return "a person, who answers in the inbox";
  if (price === null) return "price unknown";
  if (price.input === 0 && price.output === 0) return player === "expert" ? "built-in programs, free" : "free";
  return `$${price.input} in, $${price.output} out per million tokens`;
}
