import type { Edit, Patch } from "../../schemas/debate.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "./aspect-matcher.ts";
import { canonicalisePolarity } from "./canonical-polarity.ts";

/** What an edit asks for an aspect: a polarity, its removal, or neither; `invalid` marks a polarity outside the canon. */
export type Vote = {
  polarity: Polarity | null;
  removal: boolean;
  /** The polarity whose tuple should go, where a removal names one: it spares a tuple of another. */
  removes: Polarity | null;
  invalid: boolean;
};

/** Reads an edit as a vote (sentiment spec §4): a drop is a removal vote, never a vote for negative. */
export function readVote(edit: Edit | Patch): Vote {
  const asked = (word: string | null): Vote => {
    const polarity = canonicalisePolarity(word);
    return { polarity, removal: false, removes: null, invalid: polarity === null };
  };
  switch (edit.op) {
    case "set_polarity":
      return asked(edit.value ?? edit.target.polarity);
    case "confirm_tuple":
      return asked(edit.target.polarity ?? edit.value);
    case "merge_tuples":
      return { ...asked(edit.target.polarity ?? edit.value), invalid: false };
    case "drop_tuple":
      return { polarity: null, removal: true, removes: canonicalisePolarity(edit.target.polarity), invalid: false };
    default:
      return { polarity: null, removal: false, removes: null, invalid: false };
  }
}

/** The term that a rename or merge moves the sentiment to, as the text or Stage 1 writes it; null when it is unknown. */
export function findMoveTarget(edit: Edit | Patch, matcher: AspectMatcher): string | null {
  if (edit.op !== "set_aspect_ref" && edit.op !== "merge_tuples") return null;
  if (edit.value === null || edit.value.trim() === "" || canonicalisePolarity(edit.value) !== null) return null;
  const { aspect, how } = matcher.resolve(edit.value);
  return how === "synonym" ? null : aspect;
}
