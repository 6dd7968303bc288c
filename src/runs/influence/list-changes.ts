import * as z from "zod";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { AnyRole } from "../../engine/role.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Change, Path } from "./change.ts";

type Json = Record<string, unknown>;
type Score = { path: Path; from: number; least: number; most: number };

/** Leaving out each turn that was spoken. */
export function listSilences(turns: readonly Turn[]): Change[] {
  return turns
    .filter(({ status }) => status !== "abstained")
    .map(({ key }) => ({ kind: "turn", turn: turnIdOf(key) }) as const);
}

/** Leaving out each item of the lists in a turn's reply, down to the quotes of a claim. */
export function listParts({ key, reply, status }: Turn): Change[] {
  if (status === "abstained") return [];
  const turn = turnIdOf(key);
  return findItems(reply, []).map(({ path, item }) => ({ kind: "part", turn, path, says: sayItem(item) }) as const);
}

/** The scores in a turn's reply, each at the ends of what its schema allows: a number that is bounded on both sides. */
export function listScores({ key, reply, status }: Turn, role: AnyRole | undefined): Change[] {
  if (status === "abstained" || !role) return [];
  const root = z.toJSONSchema(role.reply, { unrepresentable: "any", io: "input" }) as Json;
  const turn = turnIdOf(key);
  return findScores(reply, root, root, []).flatMap(({ path, from, least, most }) =>
    [least, most].filter((to) => to !== from).map((to) => ({ kind: "score", turn, path, from, to }) as const),
  );
}

const deepest = 4;

function findItems(value: unknown, path: Path): { path: Path; item: unknown }[] {
  if (path.length > deepest) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => {
      const inner = [...path, at];
      const own = typeof item === "string" || isRecord(item) ? [{ path: inner, item }] : [];
      return [...own, ...findItems(item, inner)];
    });
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => findItems(inner, [...path, name]));
}

/** What an item says: its longest text. */
function sayItem(item: unknown): string {
  if (typeof item === "string") return item;
  const texts = Object.values(item as Json).filter((value) => typeof value === "string");
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? JSON.stringify(item);
}

function findScores(value: unknown, schema: Json, root: Json, path: Path): Score[] {
  const shapes = collectShapes(schema, root);
  if (typeof value === "number") {
    const bounded = shapes.find((shape) => isFinite(shape.minimum) && isFinite(shape.maximum));
    return bounded ? [{ path, from: value, least: Number(bounded.minimum), most: Number(bounded.maximum) }] : [];
  }
  if (Array.isArray(value)) {
    const items = shapes.map((shape) => shape.items).find(isRecord);
    return items ? value.flatMap((item, at) => findScores(item, items, root, [...path, at])) : [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const part = shapes.map((shape) => (shape.properties as Json | undefined)?.[name]).find(isRecord);
    return part ? findScores(inner, part, root, [...path, name]) : [];
  });
}

/** zod writes the bounds of a safe integer where there is no other limit. */
function isFinite(bound: unknown): boolean {
  return typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function collectShapes(node: Json, root: Json): Json[] {
  const target = typeof node.$ref === "string" ? resolveReference(node.$ref, root) : node;
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((name) => (target[name] as Json[] | undefined) ?? []);
  return [target, ...inner.flatMap((one) => collectShapes(one, root))];
}

function resolveReference(reference: string, root: Json): Json {
  const parts = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return parts.reduce((node, part) => (node[part] as Json | undefined) ?? {}, root);
}
