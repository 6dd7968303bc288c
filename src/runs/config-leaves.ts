import * as z from "zod";
import { isRecord } from "../text/is-record.ts";

/** A single setting of a config: its key (`debate_override.min_total`) and what it may be. */
export type ConfigLeaf = { key: string; about: string } & (
  | { kind: "boolean" }
  | { kind: "choice"; choices: string[] }
  | { kind: "number" | "integer"; minimum: number | null; maximum: number | null }
  | { kind: "other" }
);

type Json = Record<string, unknown>;

/** The single settings of a config's schema, in its order; what is inside lists and maps is left out. */
export function listConfigLeaves(schema: z.ZodType): ConfigLeaf[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  return collectLeaves(root, root, "");
}

function collectLeaves(node: Json, root: Json, key: string): ConfigLeaf[] {
  const shapes = collectShapes(node, root);
  const object = shapes.find((shape) => isRecord(shape.properties));
  if (object)
    return Object.entries(object.properties as Json).flatMap(([name, part]) =>
      isRecord(part) ? collectLeaves(part, root, key === "" ? name : `${key}.${name}`) : [],
    );
  return key === "" ? [] : [describeLeaf(key, shapes)];
}

function describeLeaf(key: string, shapes: Json[]): ConfigLeaf {
  const about = shapes.map((shape) => shape.description).find((text) => typeof text === "string") ?? "";
  const choices = shapes.flatMap((shape) =>
    Array.isArray(shape.enum) ? shape.enum : "const" in shape ? [shape.const] : [],
  );
  const words = choices.filter((choice) => typeof choice === "string");
  if (words.length > 0) return { key, about, kind: "choice", choices: words };
  const number = shapes.find((shape) => shape.type === "number" || shape.type === "integer");
  if (number)
    return {
      key,
      about,
      kind: number.type as "number" | "integer",
      minimum: readLimit(number.minimum ?? number.exclusiveMinimum),
      maximum: readLimit(number.maximum ?? number.exclusiveMaximum),
    };
  return { key, about, kind: shapes.some((shape) => shape.type === "boolean") ? "boolean" : "other" };
}

/** zod writes the bounds of a safe integer where there is no other limit. */
function readLimit(value: unknown): number | null {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function collectShapes(node: Json, root: Json): Json[] {
  const target = typeof node.$ref === "string" ? resolve(node.$ref, root) : node;
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((name) => (target[name] as Json[] | undefined) ?? []);
  return [target, ...inner.flatMap((one) => collectShapes(one, root))];
}

function resolve(reference: string, root: Json): Json {
  const parts = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return parts.reduce((node, part) => (node[part] as Json | undefined) ?? {}, root);
}
