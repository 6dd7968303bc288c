import type { PatchSummary } from "../../schemas/debate.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";
import { findMoveTarget, readVote } from "../tuples/votes.ts";

/** Where a judge contradicts itself: its patch does not lead to its tuples (sentiment spec §3). */
export type Contradiction = { aspect: string; patch: string; tuples: string };

type Words = Pick<PatchSummary, "final_patch" | "final_tuples">;

/** Finds the edits of a judge's patch that its own tuples deny; an aspect that only the tuples name is no contradiction. */
export function findContradictions({ final_patch, final_tuples }: Words, matcher: AspectMatcher): Contradiction[] {
  const said = new Map<string, Set<Polarity>>();
  for (const { aspect_ref, polarity } of final_tuples)
    said.set(aspect_ref, (said.get(aspect_ref) ?? new Set()).add(polarity));
  const gone = new Set(final_patch.filter(({ op }) => op === "drop_tuple").map(({ target }) => target.aspect_ref));
  const found = final_patch.flatMap((edit): Contradiction[] => {
    const { aspect_ref: aspect } = edit.target;
    const own = [...(said.get(aspect) ?? [])];
    const tell = (patch: string): Contradiction[] => [{ aspect, patch, tuples: own.join(" and ") || "nothing" }];
    const to = findMoveTarget(edit, matcher);
    if (to !== null) return to !== aspect && own.length > 0 ? tell(`renamed to ${to}`) : [];
    const { polarity, removal, removes } = readVote(edit);
    if (removal) return own.some((one) => removes === null || removes === one) ? tell("dropped") : [];
    if (polarity === null || own.includes(polarity) || gone.has(aspect)) return [];
    const isMoved = final_patch.some((other) => other.target.aspect_ref === aspect && findMoveTarget(other, matcher));
    return own.length > 0 || (polarity !== "neutral" && !isMoved) ? tell(polarity) : [];
  });
  const torn = [...said].filter(([, own]) => own.size > 1);
  return [
    ...found,
    ...torn.map(([aspect, own]) => ({ aspect, patch: "one polarity", tuples: [...own].join(" and ") })),
  ];
}
