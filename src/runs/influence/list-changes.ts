import * as z from "zod";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { AnyRole } from "../../engine/role.ts";
import { isRecord } from "../../text/is-record.ts";
import { collectShapes, readLimit, type SchemaNode } from "../../text/schema-shapes.ts";
import type { Change, Path } from "./change.ts";

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
  const root = z.toJSONSchema(role.reply, { unrepresentable: "any", io: "input" }) as SchemaNode;
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
  const texts = Object.values(item as SchemaNode).filter((value) => typeof value === "string");
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? JSON.stringify(item);
}

function findScores(value: unknown, schema: SchemaNode, root: SchemaNode, path: Path): Score[] {
  const shapes = collectShapes(schema, root);
  if (typeof value === "number") {
    const bounded = shapes.find((shape) => readLimit(shape.minimum) !== null && readLimit(shape.maximum) !== null);
    return bounded ? [{ path, from: value, least: Number(bounded.minimum), most: Number(bounded.maximum) }] : [];
  }
  if (Array.isArray(value)) {
    const items = shapes.map((shape) => shape.items).find(isRecord);
    return items ? value.flatMap((item, at) => findScores(item, items, root, [...path, at])) : [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const part = shapes.map((shape) => (shape.properties as SchemaNode | undefined)?.[name]).find(isRecord);
    return part ? findScores(inner, part, root, [...path, name]) : [];
  });
}
