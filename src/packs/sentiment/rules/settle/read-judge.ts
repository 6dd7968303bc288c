import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import { readVote } from "../tuples/votes.ts";
import type { PatchSummary } from "../../schemas/debate.ts";
import type { Polarity } from "../../schemas/stage1.ts";

/** What the judge says of an aspect: a polarity, two at once, or nothing. */
export type Word = Polarity | "inconsistent" | null;

/** The judge's summary, read aspect by aspect (sentiment spec §6a, steps 2 and 3). */
export type JudgeWords = {
  word(aspect: string): Word;
  /** True when the judge drops the aspect; a drop that names one polarity spares a tuple of another. */
  drops(aspect: string): boolean;
  aspects: string[];
};

export function readJudge(summary: PatchSummary): JudgeWords {
  const said = new Map<string, Set<Polarity>>();
  for (const tuple of summary.final_tuples) addTo(said, tuple.aspect_ref, tuple.polarity);
  const patched = new Map<string, Set<Polarity>>();
  for (const patch of summary.final_patch) {
    const { polarity } = readVote(patch);
    if (polarity !== null && patch.op !== "merge_tuples") addTo(patched, patch.target.aspect_ref, polarity);
  }
  const dropped = new Map<string, Set<Polarity | null>>();
  for (const { op, target } of summary.final_patch)
    if (op === "drop_tuple") addTo(dropped, target.aspect_ref, canonicalisePolarity(target.polarity));
  /** The tuples come before the patch. */
  const wordsFor = (aspect: string) => [...(said.get(aspect) ?? patched.get(aspect) ?? [])];
  return {
    aspects: [...new Set([...said.keys(), ...patched.keys(), ...dropped.keys()])],
    word: (aspect) => {
      const words = wordsFor(aspect);
      return words.length > 1 ? "inconsistent" : (words[0] ?? null);
    },
    drops: (aspect) => {
      const drops = dropped.get(aspect);
      if (!drops) return false;
      const words = wordsFor(aspect);
      return words.length === 0 || drops.has(null) || words.some((word) => drops.has(word));
    },
  };
}

function addTo<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}
