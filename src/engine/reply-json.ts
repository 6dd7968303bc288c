import { isRecord } from "../text/is-record.ts";
import { findJson, type FoundJson } from "./extract-json.ts";

/** The JSON values that a reply gives as its answer: what a model thought aloud before it is not looked at. */
export function findReplyJson(text: string): FoundJson[] {
  const all = findJson(text);
  if (all.length === 0 || all[0]?.source === text.trim()) return all;
  const said = findJson(dropThoughts(text));
  return said.length > 0 ? said : all;
}

const closing = /<\/(?:think|thinking|thought|reasoning|reflection)>/gi;

/** What stands behind the last thought; some chat templates leave out the tag that opens it. */
function dropThoughts(text: string): string {
  const last = [...text.matchAll(closing)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}

/** Replies in the shape of a call of a tool (`{"name": …, "arguments": …}`) count as what they are called with, where only that fits. */
export function unwrapToolCalls(found: FoundJson[], fits: (value: unknown) => boolean): FoundJson[] {
  return found.map((one) => (fits(one.value) ? one : (unwrap(one.value).find(({ value }) => fits(value)) ?? one)));
}

const holders = ["arguments", "parameters", "input"] as const;

function unwrap(value: unknown): FoundJson[] {
  const call: unknown = isRecord(value) && isRecord(value.function) ? value.function : value;
  if (!isRecord(call) || typeof call.name !== "string") return [];
  return holders.flatMap((holder) => {
    const given = call[holder];
    if (typeof given === "string") return findJson(given).slice(0, 1);
    return isRecord(given) ? [{ value: given, source: JSON.stringify(given) }] : [];
  });
}
