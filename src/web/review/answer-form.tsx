import { useState } from "react";
import type { ReviewDetail } from "../../contract/api/index.ts";
import { sayName, showHidden } from "../text/words.ts";

type Field = { type?: string | string[]; enum?: unknown[]; description?: string; anyOf?: Field[] };
type Props = { turn: NonNullable<ReviewDetail["turn"]>; isOff: boolean; onSend: (reply: unknown) => void };

/** The role's reply as a form: one field a key, lists and objects as JSON. */
export function AnswerForm({ turn, isOff, onSend }: Props) {
  const fields = Object.entries((turn.schema.properties ?? {}) as Record<string, Field>);
  const [values, setValues] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const send = () => {
    try {
      onSend(Object.fromEntries(fields.map(([key, field]) => [key, readField(field, values[key] ?? "")])));
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <details>
        <summary>What the role is told</summary>
        {turn.prompt.map((piece, at) => (
          <pre key={at} tabIndex={0}>
            {showHidden(piece)}
          </pre>
        ))}
      </details>
      {turn.problems.map((one) => (
        <p key={one} className="bad">
          {one}
        </p>
      ))}
      {fields.map(([key, field]) => (
        <label key={key}>
          {sayName(key)}
          {field.description && <span className="secondary">{field.description}</span>}
          <FieldInput
            field={field}
            value={values[key] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [key]: value }))}
          />
        </label>
      ))}
      {problem && <p className="bad">{problem}</p>}
      <div className="row">
        <button className="primary" type="button" disabled={isOff} onClick={send}>
          Answer
        </button>
        <button type="button" disabled={isOff} onClick={() => onSend(null)}>
          Abstain
        </button>
      </div>
    </>
  );
}

type InputProps = { field: Field; value: string; onChange: (value: string) => void };

function FieldInput({ field, value, onChange }: InputProps) {
  const choices = listChoices(field);
  if (choices.length > 0)
    return (
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="" />
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  const kind = kindOf(field);
  if (kind === "number" || kind === "integer")
    return (
      <input
        type="number"
        step={kind === "integer" ? 1 : 0.01}
        value={value}
        onChange={(e) => onChange(e.target.value)}
      />
    );
  return <textarea rows={kind === "string" ? 2 : 5} value={value} onChange={(event) => onChange(event.target.value)} />;
}

function listChoices(field: Field): string[] {
  const options = field.enum ?? field.anyOf?.find((one) => one.enum)?.enum ?? [];
  return options.filter((one) => one !== null).map(String);
}

function kindOf(field: Field): string {
  const types = [field.type ?? [], ...(field.anyOf ?? []).map((one) => one.type ?? [])].flat();
  return types.find((type) => type !== "null") ?? "object";
}

function readField(field: Field, value: string): unknown {
  const kind = kindOf(field);
  if (value.trim() === "") return kind === "array" ? [] : kind === "string" ? "" : null;
  if (kind === "number" || kind === "integer") return Number(value);
  if (kind === "boolean") return value === "true";
  return kind === "string" ? value : (JSON.parse(value) as unknown);
}
