import type * as z from "zod";
import { buildJsonSchema } from "../../engine/request.ts";
import { isRecord } from "../../text/is-record.ts";

type Schema = Record<string, unknown>;

/** A reply's schema as it is sent: natively in the subset that strict modes take, or whole as text. */
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

/** Keywords that some provider's strict mode refuses; the engine checks them on the reply, the model reads them as text. */
const worded = [
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "multipleOf",
];
const dropped = new Set([...worded, "$schema", "$id", "default", "examples", "oneOf"]);

/** The schema in the subset of JSON schema that the providers' strict modes share: closed objects, no string limits. */
export function makeStrictSchema(schema: Schema): Schema {
  const strict = mapSchema(schema, (node) => {
    const kept = Object.fromEntries(Object.entries(node).filter(([keyword]) => !dropped.has(keyword)));
    if (Array.isArray(node.oneOf)) kept.anyOf = node.oneOf;
    const limits = worded
      .filter((keyword) => keyword in node)
      .map((keyword) => `${keyword} ${JSON.stringify(node[keyword])}`);
    if (limits.length > 0) kept.description = [node.description, `(${limits.join(", ")})`].filter(Boolean).join(" ");
    return close(kept);
  });
  return strict;
}

function closed(schema: Schema): Schema {
  const { $schema: _, ...rest } = mapSchema(schema, close);
  return rest;
}

function close(node: Schema): Schema {
  return node.type === "object" && node.additionalProperties === undefined
    ? { ...node, additionalProperties: false }
    : node;
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
