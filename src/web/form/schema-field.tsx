import { type ReactNode, useContext, useId } from "react";
import { cutAtWord, guessLang, showHidden } from "../text/words.ts";
import { emptyParts, type Field, isNumbering, kindOf, mayBeNull, pickField, sayField } from "../../contract/form.ts";
import { FileDrop } from "./file-drop.tsx";
import { NumberedContext, type Side } from "./numbered.tsx";

type Props = {
  name: string;
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  isRequired?: boolean;
};

export function SchemaField(props: Props) {
  const { name, field, value, onChange } = props;
  const kind = kindOf(field);
  const sides = useContext(NumberedContext);
  if (isNumbering(field) && sides.length > 0)
    return <ChoiceField {...props} choices={sides.map((side) => [side.number, <SideChoice {...side} />])} />;
  if (kind === "choice") return <ChoiceField {...props} choices={listChoices(field)} />;
  if (kind === "choices") {
    const choices = listChoices(pickField(field).items ?? {});
    return <ChoiceField {...props} choices={choices} isMany />;
  }
  if (kind === "rows") return <RowsField {...props} />;
  if (kind !== "parts") return <PlainField {...props} />;
  return (
    <fieldset className="parts">
      <legend>{sayField(name, field)}</legend>
      <PartsFields field={field} value={(value ?? emptyParts(field)) as Record<string, unknown>} onChange={onChange} />
    </fieldset>
  );
}

type EntryProps = { label: ReactNode; value: string | number; onChange: (value: string) => void };

export function TextField({ label, value, onChange, ...rest }: EntryProps & { rows?: number; placeholder?: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} value={value} {...rest} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

type Bounds = { min?: number; max?: number; step?: number | "any"; placeholder?: string };

export function NumberField({ label, value, onChange, ...rest }: EntryProps & Bounds) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="number" value={value} {...rest} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

function PlainField({ name, field, value, onChange, isRequired = false }: Props) {
  const { minimum, maximum, type } = pickField(field);
  const kind = kindOf(field);
  const label = sayField(name, field);
  if (kind === "yes")
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} /> {label}
      </label>
    );
  const said = (
    <>
      {label}
      {(!isRequired || mayBeNull(field)) && <span className="faint"> (may stay empty)</span>}
    </>
  );
  if (kind === "number")
    return (
      <NumberField
        label={said}
        min={minimum}
        max={maximum}
        step={[type ?? []].flat().includes("integer") ? 1 : "any"}
        value={typeof value === "number" ? value : ""}
        onChange={(text) => onChange(text === "" ? undefined : Number(text))}
      />
    );
  const isGroups = kindOf(pickField(field).items ?? {}) === "texts";
  return (
    <TextField
      label={said}
      rows={kind === "texts" ? 2 : 1}
      placeholder={kind !== "texts" ? undefined : isGroups ? "a group to a line, with commas" : "one to a line"}
      value={Array.isArray(value) ? value.join("\n") : typeof value === "string" ? value : ""}
      onChange={(text) => onChange(kind === "texts" ? text.split("\n") : text)}
    />
  );
}

type Choice = [unknown, ReactNode];

function listChoices(field: Field): Choice[] {
  const { enum: choices = [], labels } = pickField(field);
  const named = choices.filter((choice) => choice !== null).map(String);
  return named.map((choice) => [choice, labels?.[choice] ?? sayField(choice, undefined)]);
}

function SideChoice({ speaker, label, text }: Side) {
  return (
    <span lang={guessLang(text)}>
      <strong>{showHidden(speaker ?? label)}</strong> {showHidden(cutAtWord(text, 240))}
    </span>
  );
}

function ChoiceField({ name, field, value, onChange, choices, isMany }: Props & { choices: Choice[]; isMany?: true }) {
  const group = useId();
  const all: Choice[] = isMany || !mayBeNull(field) ? choices : [...choices, [null, "None of them"]];
  const chosen = isMany ? ((value as unknown[] | null) ?? []) : [value];
  const toggle = (choice: unknown, isOn: boolean) =>
    onChange(
      isMany ? choices.map(([one]) => one).filter((one) => (one === choice ? isOn : chosen.includes(one))) : choice,
    );
  return (
    <fieldset className="choices">
      <legend>{sayField(name, field)}</legend>
      {all.map(([choice, label]) => (
        <label key={String(choice)}>
          <input
            type={isMany ? "checkbox" : "radio"}
            name={group}
            checked={chosen.includes(choice)}
            onChange={(event) => toggle(choice, event.target.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

type PartsProps = {
  field: Field;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  hidden?: readonly string[];
};

export function PartsFields({ field, value, onChange, hidden = [] }: PartsProps) {
  const { properties = {}, required = [] } = pickField(field);
  return Object.entries(properties)
    .filter(([key]) => !hidden.includes(key))
    .map(([key, inner]) => (
      <SchemaField
        key={key}
        name={key}
        field={inner}
        value={value[key]}
        isRequired={required.includes(key)}
        onChange={(next) => onChange({ ...value, [key]: next })}
      />
    ));
}

function RowsField({ name, field, value, onChange }: Props) {
  const rows = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
  const item = pickField(pickField(field).items ?? {});
  const isDocuments = item.properties?.id !== undefined && item.properties?.text !== undefined;
  const label = sayField(name, field);
  // Rows about given things are neither added nor removed.
  const given = item.properties?.label?.labels;
  return (
    <fieldset className="parts">
      <legend>{label}</legend>
      {rows.map((row, at) => (
        <div key={at} className="row-of-form">
          {given && <p>{showHidden(given[String(row.label)] ?? "")}</p>}
          <PartsFields
            field={item}
            value={row}
            hidden={given ? ["label"] : []}
            onChange={(next) => onChange(rows.map((one, index) => (index === at ? next : one)))}
          />
          {!given && (
            <button
              type="button"
              className="plain"
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >{`Remove ${typeof row.id === "string" && row.id !== "" ? row.id : at + 1}`}</button>
          )}
        </div>
      ))}
      {!given && (
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
      )}
    </fieldset>
  );
}
