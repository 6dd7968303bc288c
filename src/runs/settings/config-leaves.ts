import * as z from "zod";
import { isRecord } from "../../text/is-record.ts";
import { collectShapes, readLimit, type SchemaNode } from "../../text/schema-shapes.ts";

/** A single setting of a config: its key (`debate_override.min_total`) and what it may be. */
export type ConfigLeaf = { key: string; about: string } & (
  | { kind: "boolean" }
  | { kind: "choice"; choices: string[] }
  | { kind: "number" | "integer"; minimum: number | null; maximum: number | null }
  | { kind: "other" }
);

/** The single settings of a config's schema, in its order; what is inside lists and maps is left out. */
export function listConfigLeaves(schema: z.ZodType): ConfigLeaf[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return collectLeaves(root, root, "");
}

function collectLeaves(node: SchemaNode, root: SchemaNode, key: string): ConfigLeaf[] {
  const shapes = collectShapes(node, root);
  const object = shapes.find((shape) => isRecord(shape.properties));
  if (object)
    return Object.entries(object.properties as SchemaNode).flatMap(([name, part]) =>
      isRecord(part) ? collectLeaves(part, root, key === "" ? name : `${key}.${name}`) : [],
    );
  return key === "" ? [] : [describeLeaf(key, shapes)];
}

function describeLeaf(key: string, shapes: SchemaNode[]): ConfigLeaf {
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
