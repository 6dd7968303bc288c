import type * as z from "zod";
import { buildJsonSchema } from "../engine/prompt.ts";
import { isRecord } from "../text/is-record.ts";

type Schema = Record<string, unknown>;

/** A reply's schema as it is sent: natively in the subset that all strict modes take, or whole as text. */
export type ReplySchema = { strict: Schema; strictBytes: number; text: string };

const made = new WeakMap<z.ZodType, ReplySchema>();

/** The schema of a reply in both forms, made once per schema. */
export function buildReplySchema(reply: z.ZodType): ReplySchema {
  let known = made.get(reply);
  if (known === undefined) {
    const whole = buildJsonSchema(reply);
    const strict = makeStrictSchema(whole);
    known = { strict, strictBytes: Buffer.byteLength(JSON.stringify(strict)), text: JSON.stringify(closed(whole)) };
    made.set(reply, known);
  }
  return known;
}

/** What every provider's structured output takes; all else is left out, since one that refuses it refuses the whole call. */
const shared = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "description",
  "$ref",
  "$defs",
]);

/** Limits that are left out but said in words: the model reads them, the engine checks them on the reply. */
const worded = [
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
];

/**
 * The schema in the subset of JSON schema that all providers' strict modes share: every object is closed and requires every key
 * (one that may be missing may be null instead), no limits.
 */
export function makeStrictSchema(schema: Schema): Schema {
  return mapSchema(schema, (node) => {
    if (node.$ref !== undefined) return pickKeywords(node, (keyword) => keyword === "$ref" || keyword === "$defs");
    const kept = pickKeywords(node, (keyword) => shared.has(keyword));
    if (Array.isArray(node.oneOf)) kept.anyOf = node.oneOf;
    const limits = worded
      .filter((keyword) => keyword in node && !isTypeLimit(node[keyword]))
      .map((keyword) => `${keyword} ${JSON.stringify(node[keyword])}`);
    if (limits.length > 0) kept.description = [node.description, `(${limits.join(", ")})`].filter(Boolean).join(" ");
    return requireAll(kept);
  });
}

/** The bounds of safe integers say nothing that "integer" does not. */
function isTypeLimit(limit: unknown): boolean {
  return limit === Number.MAX_SAFE_INTEGER || limit === Number.MIN_SAFE_INTEGER;
}

function pickKeywords(node: Schema, isKept: (keyword: string) => boolean): Schema {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => isKept(keyword)));
}

function closed(schema: Schema): Schema {
  const { $schema: _, ...rest } = mapSchema(schema, requireAll);
  return rest;
}

/** Closes an object and requires all its keys, in the order in which they are to be written. */
function requireAll(node: Schema): Schema {
  if (node.type !== "object") return node;
  const { additionalProperties = false } = node;
  if (!isRecord(node.properties)) return { ...node, additionalProperties };
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  const properties = Object.fromEntries(
    Object.entries(node.properties).map(([key, part]) => [key, required.has(key) ? part : orNull(part)]),
  );
  return { ...node, properties, required: Object.keys(properties), additionalProperties };
}

/** The schema, or null for a key that has nothing to say. */
function orNull(part: unknown): unknown {
  return takesNull(part) ? part : { anyOf: [part, { type: "null" }] };
}

/** True when null fits the schema. */
export function takesNull(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (Array.isArray(part.anyOf)) return part.anyOf.some(takesNull);
  return [part.type].flat().includes("null");
}

/** Rebuilds a schema from the inside out; only places that hold schemas are visited, so data is never mistaken for one. */
function mapSchema(schema: Schema, change: (node: Schema) => Schema): Schema {
  const inner = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (schemaMaps.has(keyword) && isRecord(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part, change)]))];
    if (schemaLists.has(keyword) && Array.isArray(value)) return [keyword, value.map((part) => visit(part, change))];
    return [keyword, schemaPlaces.has(keyword) ? visit(value, change) : value];
  });
  return change(Object.fromEntries(inner));
}

const schemaMaps = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemaPlaces = new Set(["items", "additionalProperties", "not", "contains"]);

function visit(value: unknown, change: (node: Schema) => Schema): unknown {
  return isRecord(value) ? mapSchema(value, change) : value;
}
