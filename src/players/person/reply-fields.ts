import { isRecord } from "../../text/is-record.ts";

type Schema = Record<string, unknown>;

/** One question of a form. `json` is for what has no simple input: lists, nested objects. */
export type ReplyField = {
  name: string;
  about: string;
  nullable: boolean;
} & ({ kind: "text" | "number" | "integer" | "boolean" | "json" } | { kind: "choice"; choices: (string | number)[] });

/** The reply's schema as questions; null when it is not an object and must be given whole, as JSON. */
export function listReplyFields(schema: Schema): ReplyField[] | null {
  if (schema.type !== "object" || !isRecord(schema.properties)) return null;
  return Object.entries(schema.properties).map(([name, part]) => describeField(name, isRecord(part) ? part : {}));
}

function describeField(name: string, schema: Schema): ReplyField {
  const { shape, nullable } = stripNull(schema);
  const about = [schema.description, shape.description].find((text) => typeof text === "string") ?? "";
  const common = { name, about, nullable };
  const choices = choicesOf(shape);
  if (choices !== null) return { ...common, kind: "choice", choices };
  return { ...common, kind: kinds[String(shape.type)] ?? "json" };
}

/** A nullable schema is written as `anyOf` with null, or as a list of types. */
function stripNull(schema: Schema): { shape: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return {
      shape: { ...schema, type: types.length === 1 ? types[0] : types },
      nullable: types.length < schema.type.length,
    };
  }
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : [];
  const solid = options.filter((option) => option.type !== "null");
  return { shape: solid.length === 1 ? (solid[0] ?? schema) : schema, nullable: solid.length < options.length };
}

const kinds: Record<string, "text" | "number" | "integer" | "boolean"> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "boolean",
};

function choicesOf(schema: Schema): (string | number)[] | null {
  if (Array.isArray(schema.enum)) return schema.enum as (string | number)[];
  return typeof schema.const === "string" || typeof schema.const === "number" ? [schema.const] : null;
}

/** What a person typed as the field's value, or what is wrong with it. */
export function readField(field: ReplyField, typed: string): { value: unknown } | { problem: string } {
  if (typed.trim() === "" && field.nullable) return { value: null };
  if (field.kind === "number" || field.kind === "integer") return readNumber(field.kind, typed);
  if (field.kind !== "json") return { value: typed };
  try {
    return { value: JSON.parse(typed) as unknown };
  } catch (error) {
    return { problem: `not valid JSON: ${(error as Error).message}` };
  }
}

function readNumber(kind: "number" | "integer", typed: string): { value: unknown } | { problem: string } {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  const fits = kind === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  return fits ? { value } : { problem: kind === "integer" ? "a whole number, please" : "a number, please" };
}
