import { isRecord } from "./is-record.ts";

/** One difference between two JSON values: where, and what it was and is; undefined stands for nothing there. */
export type Difference = { path: string; before: unknown; after: unknown };

/** Every place in which two JSON values differ, in the order of the first; a changed list is compared item by item. */
export function diffJson(before: unknown, after: unknown, path = ""): Difference[] {
  if (before === after || Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => diffJson(before[index], after[index], `${path}[${index}]`)).flat();
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return [{ path, before, after }];
}

/** A difference as one line: `final_label: "positive" → "mixed"`. */
export function formatDifference({ path, before, after }: Difference): string {
  return `${path || "(the value)"}: ${short(before)} → ${short(after)}`;
}

function short(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "number" ? Number(inner.toPrecision(6)) : inner,
  );
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
