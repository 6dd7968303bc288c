import { useContext, useId } from "react";
import { NumberedContext, NumberedField } from "./told.tsx";
import { sayName } from "../text/words.ts";
import { emptyParts, type Field, kindOf, listChoices, mayBeNull, pickField } from "./field.ts";
import { FileDrop } from "./file-drop.tsx";

type Words = Record<string, string>;
type Props = {
  name: string;
  field: Field;
  words: Words;
  value: unknown;
  onChange: (value: unknown) => void;
  isRequired?: boolean;
};

/** One field of a schema, in the pack's words. */
export function SchemaField(props: Props) {
  const kind = kindOf(props.field);
  const numbered = useContext(NumberedContext);
  if (kind === "choice" || kind === "choices") return <ChoiceField {...props} isMany={kind === "choices"} />;
  if (kind === "number" && isNumbering(props.field) && numbered.length > 0)
    return (
      <NumberedField
        label={sayField(props.name, props.words, props.field)}
        value={props.value}
        mayBeNone={mayBeNull(props.field)}
        onChange={props.onChange}
      />
    );
  if (kind === "rows") return <RowsField {...props} />;
  if (kind === "parts") return <PartsField {...props} />;
  return <PlainField {...props} />;
}

/** A whole number from one on without an end: it counts what the role was told. */
function isNumbering(field: Field): boolean {
  const { type, minimum, maximum } = pickField(field);
  const isOpen = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER;
  return [type ?? []].flat().includes("integer") && minimum === 1 && isOpen;
}

/** A name as the schema or the pack says it; otherwise as a person would. */
export function sayField(name: string, words: Words, field?: Field): string {
  const said = field?.title ?? words[name] ?? sayName(name);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** A value that is written in one field; anything else is not shown there. */
function sayPlain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function PlainField({ name, field, words, value, onChange, isRequired = false }: Props) {
  const id = useId();
  const { minimum, maximum, type } = pickField(field);
  const kind = kindOf(field);
  const label = sayField(name, words, field);
  if (kind === "yes")
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} /> {label}
      </label>
    );
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <span className="faint"> (may stay empty)</span>}
      </label>
      {kind === "number" ? (
        <input
          id={id}
          type="number"
          min={minimum}
          max={maximum}
          step={[type ?? []].flat().includes("integer") ? 1 : "any"}
          value={typeof value === "number" ? value : ""}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.valueAsNumber)}
        />
      ) : (
        <textarea
          id={id}
          rows={kind === "texts" ? 2 : 1}
          placeholder={kind === "texts" ? "one to a line" : undefined}
          value={Array.isArray(value) ? value.join("\n") : sayPlain(value)}
          onChange={(event) => onChange(kind === "texts" ? event.target.value.split("\n") : event.target.value)}
        />
      )}
    </div>
  );
}

/** Positions written out, with the number that chooses each. */
function ChoiceField({ name, field, words, value, onChange, isMany }: Props & { isMany: boolean }) {
  const group = useId();
  const inner = pickField(field);
  const choices = listChoices(isMany ? (inner.items ?? {}) : field);
  const chosen = isMany ? ((value as string[] | null) ?? []) : [value];
  const toggle = (choice: string, isOn: boolean) => {
    if (!isMany) return onChange(choice);
    onChange(choices.filter((one) => (one === choice ? isOn : chosen.includes(one))));
  };
  return (
    <fieldset className="choices" data-choices="">
      <legend>{sayField(name, words, field)}</legend>
      {choices.map((choice, at) => (
        <label key={choice}>
          <input
            type={isMany ? "checkbox" : "radio"}
            name={group}
            checked={chosen.includes(choice)}
            onChange={(event) => toggle(choice, event.target.checked)}
          />
          <span>{sayField(choice, words)}</span>
          {at < 9 && <kbd aria-hidden="true">{at + 1}</kbd>}
        </label>
      ))}
      {!isMany && mayBeNull(field) && value !== null && (
        <button type="button" className="plain" onClick={() => onChange(null)}>
          leave it open
        </button>
      )}
    </fieldset>
  );
}

function PartsField({ name, field, words, value, onChange }: Props) {
  const inner = pickField(field);
  const parts = (value ?? emptyParts(field)) as Record<string, unknown>;
  return (
    <fieldset className="parts">
      <legend>{sayField(name, words, field)}</legend>
      <PartsFields field={inner} words={words} value={parts} onChange={onChange} />
    </fieldset>
  );
}

type PartsProps = {
  field: Field;
  words: Words;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  hidden?: readonly string[];
};

/** The fields of an object, one under another. */
export function PartsFields({ field, words, value, onChange, hidden = [] }: PartsProps) {
  const required = pickField(field).required ?? [];
  return Object.entries(pickField(field).properties ?? {})
    .filter(([key]) => !hidden.includes(key))
    .map(([key, inner]) => (
      <SchemaField
        key={key}
        name={key}
        field={inner}
        words={words}
        value={value[key] ?? null}
        isRequired={required.includes(key)}
        onChange={(next) => onChange({ ...value, [key]: next })}
      />
    ));
}

/** Things of a kind, each with its fields; rows of a name and a text can be dropped as files. */
function RowsField({ name, field, words, value, onChange }: Props) {
  const rows = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
  const item = pickField(pickField(field).items ?? {});
  const isDocuments = item.properties?.id !== undefined && item.properties?.text !== undefined;
  const label = sayField(name, words, field);
  return (
    <fieldset className="parts">
      <legend>{label}</legend>
      {rows.map((row, at) => (
        <div key={at} className="row-of-form">
          <PartsFields
            field={item}
            words={words}
            value={row}
            onChange={(next) => onChange(rows.map((one, index) => (index === at ? next : one)))}
          />
          <button
            type="button"
            className="plain"
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >{`Remove ${typeof row.id === "string" && row.id !== "" ? row.id : at + 1}`}</button>
        </div>
      ))}
      <div className="row">
        <button type="button" onClick={() => onChange([...rows, emptyParts(item)])}>
          Add one
        </button>
        {isDocuments && (
          <FileDrop
            label={`Add files to ${label.toLowerCase()}`}
            onFiles={(files) => onChange([...rows, ...files.map((file) => ({ id: file.name, text: file.text }))])}
          />
        )}
      </div>
    </fieldset>
  );
}
