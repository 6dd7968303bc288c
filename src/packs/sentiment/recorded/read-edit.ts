import { isRecord } from "../../../text/is-record.ts";
import { canonicalisePolarity } from "../rules/tuples/canonical-polarity.ts";
import type { Edit } from "../schemas/debate.ts";
import type { AspectMatcher } from "../rules/tuples/aspect-matcher.ts";
import { readConfidence, type Tally, readText, readWord } from "./loose.ts";

const targetKeys = ["aspect_ref", "aspect_term", "aspect", "term", "target"];

/** Reads one recorded edit; an edit on several terms becomes one edit each. */
export function readEdits(item: unknown, matcher: AspectMatcher, tally: Tally): Edit[] {
  if (!isRecord(item)) {
    tally.add("item_unreadable");
    return [];
  }
  const targets = listTargets(item);
  const value = readValue(item, matcher);
  return targets.map((target, at) => ({
    op: readWord(item.op ?? item.operation ?? item.action) ?? "",
    target: { aspect_ref: findAspect(target, matcher), polarity: polarityOf(target) },
    value: value ?? (targets.length > 1 && at > 0 ? findAspect(targets[0] ?? {}, matcher) : null),
    evidence: readText(item.evidence) || null,
    confidence: readConfidence(item.confidence, null),
  }));
}

/** A confirmation that names no polarity confirms the one the tuple has, where it has one. */
export function fillConfirmedPolarity(
  edits: readonly Edit[],
  polarityOf: (aspect: string) => string | null,
  tally: Tally,
): Edit[] {
  return edits.map((edit) => {
    const isOpen = edit.op.trim() === "confirm_tuple" && edit.target.polarity === null && edit.value === null;
    const polarity = isOpen ? polarityOf(edit.target.aspect_ref) : null;
    if (polarity === null) return edit;
    tally.add("confirmed_polarity_read_from_tuple");
    return { ...edit, target: { ...edit.target, polarity } };
  });
}

/** The word of these candidates that is a known aspect, else the first. */
export function findAspect(from: Record<string, unknown>, matcher: AspectMatcher): string {
  const words = targetKeys.flatMap((key) => readWord(from[key]) ?? []).filter((word) => word.trim() !== "");
  return (words.find((word) => matcher.resolve(word).aspect !== null) ?? words[0] ?? "").trim();
}

function listTargets(item: Record<string, unknown>): Record<string, unknown>[] {
  const { target } = item;
  if (typeof target === "string") return [{ aspect_ref: target, polarity: item.polarity }];
  const several = Array.isArray(target)
    ? target
    : isRecord(target)
      ? Object.values(target).find((value) => Array.isArray(value) && value.length > 0)
      : undefined;
  if (Array.isArray(several)) return several.map((one) => (isRecord(one) ? one : { aspect_ref: one }));
  return [isRecord(target) ? target : item];
}

function polarityOf(target: Record<string, unknown>): string | null {
  return readWord(target.polarity ?? target.sentiment);
}

/** The value of an edit: a word, or the polarity or term inside an object; seeds also put it into the target. */
function readValue(item: Record<string, unknown>, matcher: AspectMatcher): string | null {
  const value = item.value ?? (isRecord(item.target) ? item.target.value : undefined);
  if (isRecord(value)) return readWord(value.polarity) ?? (findAspect(value, matcher) || null);
  const word = readWord(value);
  return word !== null && canonicalisePolarity(word) === null && word.trim() === "" ? null : word;
}
