/** What the judge of a patch debate says of each aspect, and which of its tuples may be added (sentiment spec §6a). */
import type { PatchSummary } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { Polarity } from "../schemas/stage1.ts";
import type { Hint } from "../schemas/stage2.ts";
import { sortByPlace } from "./text.ts";
import { createSentiment, flipPolarity, isEvaluative, readVote, type Stated } from "./tuples.ts";

type Judged = { aspect: string; base: readonly Stated[]; votes: readonly Hint[] | null };

export type Judge = ReturnType<typeof hearJudge>;

export function hearJudge(
  material: Material,
  summary: PatchSummary,
  { files, speakers }: { files: readonly Judged[]; speakers: number },
) {
  const evaluates = (sentiment: Stated) => isEvaluative(material, sentiment);
  const foundNothing = !files.some(({ base }) => base.some(evaluates));
  const tuples = foundNothing ? nameWholeText(summary, evaluates) : summary.final_tuples;
  const words = readWords(tuples, summary);
  const count = (aspect: string, polarity: Polarity) =>
    listSpoken(files, aspect).filter((vote) => vote.polarity_hint === polarity).length;
  const open = words.aspects.flatMap((aspect) => {
    const polarity = words.word(aspect);
    if (polarity === null || polarity === "inconsistent" || words.drops(aspect)) return [];
    const isNew = !files.some((file) => file.aspect === aspect && file.base.length > 0);
    const opposite = flipPolarity(polarity);
    const isOpposed = opposite !== null && count(aspect, opposite) > count(aspect, polarity);
    return isNew && !isOpposed && evaluates(stateBarely(aspect, polarity)) ? [{ aspect, polarity }] : [];
  });
  const only = foundNothing ? chooseOnly(material.text, open, summary.sentence_polarity, count) : null;
  return {
    ...words,
    /** Why a tuple may be added to what stands; null when it may not. */
    addition(aspect: string, polarity: Polarity): string | null {
      if (foundNothing)
        return only?.aspect === aspect && only.polarity === polarity ? "added_stage1_found_nothing" : null;
      return speakers > 0 && count(aspect, polarity) === speakers ? "added_by_all_speakers" : null;
    },
  };
}

/** The votes of the speakers on an aspect, without the judge's. */
export function listSpoken(files: readonly Judged[], aspect: string): Hint[] {
  const votes = files.find((file) => file.aspect === aspect)?.votes ?? [];
  return votes.filter(({ speaker }) => speaker !== "judge");
}

type JudgeTuple = { aspect_ref: string; polarity: Polarity };

/** The judge's summary, read aspect by aspect: its tuples come before its patch. */
function readWords(tuples: readonly JudgeTuple[], { final_patch }: PatchSummary) {
  const edits = final_patch
    .filter(({ op }) => op !== "merge_tuples")
    .map((patch) => ({ aspect: patch.target.aspect_ref, ...readVote(patch) }));
  const wordsFor = (aspect: string): Polarity[] => {
    const said = tuples.filter((tuple) => tuple.aspect_ref === aspect).map((tuple) => tuple.polarity);
    const patched = edits.filter((edit) => edit.aspect === aspect).flatMap(({ polarity }) => polarity ?? []);
    return [...new Set(said.length > 0 ? said : patched)];
  };
  const told = edits.filter(({ polarity, removal }) => removal || polarity !== null);
  return {
    aspects: [...new Set([...tuples.map((tuple) => tuple.aspect_ref), ...told.map(({ aspect }) => aspect)])],
    /** Its one polarity for the aspect; null when it gives none. */
    word(aspect: string): Polarity | "inconsistent" | null {
      const [first = null, ...others] = wordsFor(aspect);
      return others.length > 0 ? "inconsistent" : first;
    },
    drops(aspect: string): boolean {
      const said = wordsFor(aspect);
      return edits.some(
        ({ aspect: own, removal, removes }) =>
          removal && own === aspect && (said.length === 0 || removes === null || said.includes(removes)),
      );
    },
  };
}

/** A judge that names nothing evaluative but calls the text positive or negative speaks of the text as a whole. */
function nameWholeText(summary: PatchSummary, evaluates: (sentiment: Stated) => boolean): JudgeTuple[] {
  const { sentence_polarity: polarity, final_tuples } = summary;
  const isClear = polarity === "positive" || polarity === "negative";
  if (!isClear || final_tuples.some((tuple) => evaluates(stateBarely(tuple.aspect_ref, tuple.polarity))))
    return final_tuples;
  return [...final_tuples, { aspect_ref: "", polarity }];
}

/**
 * The one tuple of the judge that may stand where Stage 1 found nothing: what most speakers back, then what agrees with the
 * judge's word on the text; in a text of two minds what comes last, because the end of a contrast concludes.
 */
function chooseOnly(
  text: string,
  open: { aspect: string; polarity: Polarity }[],
  sentence: PatchSummary["sentence_polarity"],
  count: (aspect: string, polarity: Polarity) => number,
) {
  const ordered =
    sentence === "mixed"
      ? sortByPlace(text, open, ({ aspect }) => aspect).toReversed()
      : open.toSorted((a, b) => Number(b.polarity === sentence) - Number(a.polarity === sentence));
  return ordered.toSorted((a, b) => count(b.aspect, b.polarity) - count(a.aspect, a.polarity))[0] ?? null;
}

function stateBarely(aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, { evidence: "", confidence: 0 });
}
