import { canonicalPolarity } from "../../canonical-polarity.ts";
import type { Edit } from "../../schemas/debate.ts";
import type { AspectMatcher } from "../../text/aspect-matcher.ts";
import { confidenceOf, isLoose, type Loose, type Tally, textOf, wordAt } from "./loose.ts";

const targetKeys = ["aspect_ref", "aspect_term", "aspect", "term", "target"];

/** Reads one recorded edit; an edit on several terms becomes one edit each. */
export function readEdits(item: unknown, matcher: AspectMatcher, tally: Tally): Edit[] {
  if (!isLoose(item)) {
    tally.add("item_unreadable");
    return [];
  }
  const targets = targetsOf(item);
  const value = readValue(item, matcher);
  return targets.map((target, at) => ({
    op: wordAt(item.op ?? item.operation ?? item.action) ?? "",
    target: { aspect_ref: aspectOf(target, matcher), polarity: polarityOf(target) },
    value: value ?? (targets.length > 1 && at > 0 ? aspectOf(targets[0] ?? {}, matcher) : null),
    evidence: textOf(item.evidence) || null,
    confidence: confidenceOf(item.confidence, null),
  }));
}

/** A confirmation that names no polarity confirms the one the tuple has, where it has one. */
export function withConfirmedPolarity(
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
export function aspectOf(from: Loose, matcher: AspectMatcher): string {
  const words = targetKeys.flatMap((key) => wordAt(from[key]) ?? []).filter((word) => word.trim() !== "");
  return (words.find((word) => matcher.resolve(word).aspect !== null) ?? words[0] ?? "").trim();
}

function targetsOf(item: Loose): Loose[] {
  const { target } = item;
  if (typeof target === "string") return [{ aspect_ref: target, polarity: item.polarity }];
  const several = Array.isArray(target)
    ? target
    : isLoose(target)
      ? Object.values(target).find((value) => Array.isArray(value) && value.length > 0)
      : undefined;
  if (Array.isArray(several)) return several.map((one) => (isLoose(one) ? one : { aspect_ref: one }));
  return [isLoose(target) ? target : item];
}

function polarityOf(target: Loose): string | null {
  return wordAt(target.polarity ?? target.sentiment);
}

/** The value of an edit: a word, or the polarity or term inside an object; seeds also put it into the target. */
function readValue(item: Loose, matcher: AspectMatcher): string | null {
  const value = item.value ?? (isLoose(item.target) ? item.target.value : undefined);
  if (isLoose(value)) return wordAt(value.polarity) ?? (aspectOf(value, matcher) || null);
  const word = wordAt(value);
  return word !== null && canonicalPolarity(word) === null && word.trim() === "" ? null : word;
}
