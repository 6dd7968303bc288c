import type { ReviewDetail } from "../../contract/api/index.ts";
import { emptyParts, type Field, kindOf } from "../form/field.ts";
import { PartsFields, SchemaField } from "../form/schema-field.tsx";
import type { Draft } from "./draft.ts";

type Change = (changes: Partial<Draft>) => void;
type VerdictProps = { name: string; words: Record<string, string>; draft: Draft; onChange: Change };

function VerdictField({ name, words, draft, onChange }: VerdictProps) {
  return (
    <SchemaField
      name={name}
      field={{ enum: Object.keys(words) }}
      words={words}
      value={draft.verdict}
      isRequired
      onChange={(verdict) => onChange({ verdict: verdict as Draft["verdict"] })}
    />
  );
}

/** A ruling on an escalated decision: it stands, or this is right instead, and why. */
export function RulingFields({ detail, draft, onChange }: { detail: ReviewDetail; draft: Draft; onChange: Change }) {
  const { gold, blind, words } = detail;
  const verdicts = {
    ...(!blind && { uphold: "The decision stands" }),
    ...(gold && { correct: blind ? "This is what I hold right" : "Something else is right" }),
  };
  return (
    <>
      <VerdictField name="What do you rule?" words={verdicts} draft={draft} onChange={onChange} />
      {gold && draft.verdict === "correct" && (
        <GoldFields field={gold} words={words} value={draft.gold} onChange={(value) => onChange({ gold: value })} />
      )}
      <div className="field">
        <label htmlFor="why">Why?</label>
        <textarea
          id="why"
          data-comment=""
          value={draft.why}
          onChange={(event) => onChange({ why: event.target.value })}
        />
      </div>
    </>
  );
}

type GoldProps = { field: Field; words: Record<string, string>; value: unknown; onChange: (value: unknown) => void };

function GoldFields({ field, words, value, onChange }: GoldProps) {
  if (kindOf(field) !== "parts")
    return <SchemaField name="What is right" field={field} words={words} value={value} onChange={onChange} />;
  const parts = (value ?? emptyParts(field)) as Record<string, unknown>;
  return <PartsFields field={field} words={words} value={parts} onChange={onChange} />;
}

/** Whether a run over its budget ends with what stands, or goes on. */
export function BudgetFields({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const words = { uphold: "It ends with what stands", correct: "It goes on with a larger budget" };
  return (
    <>
      <VerdictField name="What now?" words={words} draft={draft} onChange={onChange} />
      {draft.verdict === "correct" && (
        <div className="row">
          <div className="field">
            <label htmlFor="calls">Calls in all</label>
            <input
              id="calls"
              type="number"
              min={1}
              value={draft.calls}
              onChange={(event) => onChange({ calls: event.target.value })}
            />
          </div>
          <div className="field">
            <label htmlFor="usd">USD in all</label>
            <input
              id="usd"
              type="number"
              min={0}
              step="0.01"
              value={draft.usd}
              onChange={(event) => onChange({ usd: event.target.value })}
            />
          </div>
        </div>
      )}
    </>
  );
}
