import { canonicalPolarity } from "../canonical-polarity.ts";
import { type Edit, operations, type Patch } from "../schemas/debate.ts";
import type { Strike } from "../stage1/ground-aspects.ts";
import { wordIn } from "../stage1/ground-validator.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";

/** Keeps the edits with a known op on a known aspect (spec section 3); `unnamed` edits name no aspect at all. */
export function groundEdits<E extends Edit | Patch>(
  edits: readonly E[],
  matcher: AspectMatcher,
): { kept: E[]; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const kept = edits.flatMap((edit, at): E[] => {
    const op = wordIn(operations, edit.op);
    if (op === null) {
      strikes.push({ code: "unknown_op", what: edit.op, path: [at, "op"] });
      return [];
    }
    const named = edit.target.aspect_ref.trim();
    const aspect = named === "" ? "" : matcher.resolve(named).aspect;
    if (aspect === null) {
      strikes.push({ code: "unknown_aspect", what: named, path: [at, "target", "aspect_ref"] });
      return [];
    }
    return [{ ...edit, op, target: { ...edit.target, aspect_ref: aspect } }];
  });
  return { kept, strikes };
}

/** What an edit asks for an aspect: a polarity, its removal, or neither; `invalid` marks a polarity outside the canon. */
export type Vote = { polarity: ReturnType<typeof canonicalPolarity>; removal: boolean; invalid: boolean };

/** Reads an edit as a vote (spec section 4): a drop is a removal vote, never a vote for negative. */
export function voteOf(edit: Edit | Patch): Vote {
  const stated = (word: string | null): Vote => {
    const polarity = canonicalPolarity(word);
    return { polarity, removal: false, invalid: polarity === null };
  };
  switch (edit.op) {
    case "set_polarity":
      return stated(edit.value ?? edit.target.polarity);
    case "confirm_tuple":
      return stated(edit.target.polarity ?? edit.value);
    case "merge_tuples":
      return { ...stated(edit.target.polarity ?? edit.value), invalid: false };
    case "drop_tuple":
      return { polarity: null, removal: true, invalid: false };
    default:
      return { polarity: null, removal: false, invalid: false };
  }
}

/** The term that a rename or merge moves the sentiment to, as the text or Stage 1 writes it; null when it is unknown. */
export function moveTarget(edit: Edit | Patch, matcher: AspectMatcher): string | null {
  if (edit.op !== "set_aspect_ref" && edit.op !== "merge_tuples") return null;
  if (edit.value === null || edit.value.trim() === "" || canonicalPolarity(edit.value) !== null) return null;
  const { aspect, how } = matcher.resolve(edit.value);
  return how === "synonym" ? null : aspect;
}
