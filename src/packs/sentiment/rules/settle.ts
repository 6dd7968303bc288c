/** Settles everything said into one list, with a reason for each aspect (sentiment spec §5 to §6a). */
import type { SentimentConfig } from "../config/config.ts";
import { type PatchSummary, type PatchTurn, silentJudge } from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import type { Correction, GateRecord, Settlement } from "../schemas/output.ts";
import type { Polarity } from "../schemas/stage1.ts";
import type { Hint, ReviewContext } from "../schemas/stage2.ts";
import { type AspectMatcher, listStage1Terms, matchStage1 } from "./matcher.ts";
import { createMemoryAdvice } from "./memory.ts";
import { findEvidence, type GateOutcome, overrideGate } from "./override-gate.ts";
import { buildReviewContext } from "./review-context.ts";
import { applyReviews, type Reviewed } from "./reviews.ts";
import { sortByPlace } from "./text.ts";
import {
  createSentiment,
  findMostConfident,
  findMoveTarget,
  flipPolarity,
  isEvaluative,
  keepStated,
  listPolarities,
  pickOwn,
  readVote,
  type Stated,
} from "./tuples.ts";

type AspectFile = {
  aspect: string;
  stage1: Stated[];
  reviewed: Stated[];
  base: Stated[];
  votes: Hint[] | null;
};

export type SettledAspect = AspectFile & { patched: Stated[]; settled: Stated[]; settlement: Settlement };

export type Settling = {
  turns: CaseTurns;
  context: ReviewContext | null;
  reviewed: Reviewed;
  judge: Judge | null;
  gate: GateOutcome | null;
  moves: Correction[];
  aspects: SettledAspect[];
};

export function settleCase(turns: CaseTurns, config: SentimentConfig): Settling {
  const { material, stage1, debate, stage2 } = turns;
  const matcher = matchStage1(material, stage1);
  const context = debate && buildReviewContext({ material, stage1, debate });
  const cap = config.debate_override.min_target_conf;
  const { aspects, aspect_sentiments: sentiments } = stage1;
  const reviewed: Reviewed = stage2
    ? applyReviews({ material, stage1, stage2, review_context: context, matcher, thresholds: config.debate_override })
    : { aspects, sentiments, corrections: [], resolved: [], resolving: [] };
  const patch = debate?.style === "patch" ? debate : null;
  const summary = patch?.summary ?? silentJudge;
  const spoken = patch?.rounds.flatMap((round) => round.turns) ?? [];
  const moves = refuseMoves(summary, spoken, matcher);
  const files = openFiles(turns, reviewed, context);
  const speakers = new Set(spoken.map(({ speaker }) => speaker)).size;
  const judge = patch && hearJudge(material, summary, { files, speakers });
  const gate = config.enable_debate_override && context ? askGate() : null;
  return { turns, context, reviewed, judge, gate, moves, aspects: files.map(settle) };

  function askGate(): GateOutcome {
    return overrideGate(files, {
      material,
      text_id: turns.text_id,
      risks: stage1.validator?.structural_risks ?? [],
      review_context: context as ReviewContext,
      thresholds: config.debate_override,
      memoryAdvisesAgainst: createMemoryAdvice(debate?.memory.injected ?? [], matcher),
      acceptsAddition: (aspect, polarity) =>
        judge === null ||
        (judge.word(aspect) === polarity &&
          !judge.drops(aspect) &&
          (files.some((file) => file.aspect === aspect && file.base.length > 0) ||
            judge.addition(aspect, polarity) !== null)),
    });
  }

  function settle(file: AspectFile): SettledAspect {
    const { aspect } = file;
    const applied = gate?.applied?.aspect === aspect ? gate.applied : null;
    const patched = applied ? [applied.sentiment] : file.reviewed;
    const skipped = gate === null ? "override_disabled" : findSkipped(gate.records, aspect);
    const ended = judge
      ? settleWord(file, { judge, patched, skipped, isFlipped: applied?.isChange ?? false, add })
      : { kept: patched, reason: explainPatched(file, patched, context === null ? "no_debate" : skipped) };
    const word = judge?.word(aspect) ?? null;
    const before = findMostConfident(file.stage1)?.polarity ?? null;
    const settled = ended.kept.map((one) => completeFrom(patched, one));
    const { reason } = ended;
    const settlement = { aspect, judge: word, stage1: before, settled: settled[0]?.polarity ?? null, reason };
    return { ...file, patched, settled, settlement };
  }

  /** Adds a tuple on the words the debate gives, with the speakers' mean confidence. */
  function add({ aspect, votes }: AspectFile, polarity: Polarity): Stated {
    const evidence = (context && findEvidence(material, { aspect, polarity }, context).span) ?? "";
    const stated = (votes ?? []).flatMap((vote) => vote.confidence ?? []);
    const mean = stated.length === 0 ? 1 : stated.reduce((a, b) => a + b, 0) / stated.length;
    return createSentiment(aspect, polarity, { evidence, confidence: Math.min(mean, cap) });
  }
}

function findSkipped(records: readonly GateRecord[], aspect: string): string {
  return records.find((one) => one.aspect === aspect)?.skip_reason ?? "low_signal";
}

/** Gathers everything on each aspect, in text order. */
function openFiles(
  { material, stage1, debate }: CaseTurns,
  reviewed: Reviewed,
  context: ReviewContext | null,
): AspectFile[] {
  const summary = debate?.style === "patch" ? debate.summary : null;
  const judged = summary ? [...summary.final_tuples, ...summary.final_patch.map(({ target }) => target)] : [];
  const terms = [
    ...listStage1Terms(stage1),
    ...listStage1Terms({ aspects: reviewed.aspects, aspect_sentiments: reviewed.sentiments }),
    ...Object.keys(context?.aspect_hints ?? {}),
    ...(summary ? ["", ...judged.map((one) => one.aspect_ref)] : []),
  ];
  return sortByPlace(material.text, [...new Set(terms)], (term) => term).map((aspect): AspectFile => {
    const first = keepStated(stage1.aspect_sentiments, aspect);
    const second = keepStated(reviewed.sentiments, aspect);
    const base = reviewed.resolving.includes(aspect) ? second : first;
    const votes = pickOwn(context?.aspect_hints ?? {}, aspect) ?? null;
    return { aspect, stage1: first, reviewed: second, base, votes };
  });
}

/** An aspect keeps its name (sentiment spec §6a): requests for another are logged, once per speaker. */
function refuseMoves(summary: PatchSummary, spoken: readonly PatchTurn[], matcher: AspectMatcher): Correction[] {
  const all = [
    ...spoken.flatMap(({ agent, proposed_edits }) => proposed_edits.map((edit) => ({ asked_by: agent, edit }))),
    ...summary.final_patch.map((edit) => ({ asked_by: "judge", edit })),
  ];
  const asked = all.flatMap(({ asked_by, edit }): Correction[] => {
    const { aspect_ref: target_aspect } = edit.target;
    const to = findMoveTarget(edit, matcher);
    if (to === null || to === target_aspect) return [];
    const proposal_type = edit.op === "merge_tuples" ? "MERGE_TUPLES" : "RENAME_ASPECT";
    const rationale = `${target_aspect} → ${to}`;
    const refused = { applied: false, reason: "an_aspect_keeps_its_name" };
    return [
      { proposal_type, target_aspect, asked_by, rationale, resulting_polarity: null, resulting_term: null, ...refused },
    ];
  });
  return [...new Map(asked.map((one) => [`${one.asked_by} ${one.rationale}`, one])).values()];
}

type Word = {
  judge: Judge;
  patched: readonly Stated[];
  skipped: string;
  isFlipped: boolean;
  add(file: AspectFile, polarity: Polarity): Stated;
};

/** The accepted part of the judge's word on an aspect, with the reason. */
function settleWord(file: AspectFile, { judge, patched, skipped, isFlipped, add }: Word) {
  const { aspect, stage1, base, reviewed } = file;
  const end = (kept: readonly Stated[], reason: string) => ({ kept, reason });
  const word = judge.word(aspect);
  const before = findMostConfident(stage1)?.polarity ?? null;
  const isCorrected = before !== null && listPolarities(base, aspect).join() !== before;
  if (before !== null && base.length === 0)
    return isFlipped ? end(patched, "restored_by_gate") : end([], "dropped_by_review");
  if (judge.drops(aspect)) {
    const byReview = stage1.length > 0 && reviewed.length === 0;
    const removals = listSpoken(file).filter(({ removal }) => removal);
    const isAsked = removals.some(({ removes }) => removes === null || base.some((one) => one.polarity === removes));
    const isBacked = base.length === 0 || byReview || isAsked;
    return isBacked ? end([], "dropped_by_judge") : end(base, "kept_drop_unsupported");
  }
  if (word === null) return end(base, isCorrected ? "corrected_by_review" : "kept_judge_silent");
  if (word === "inconsistent") return end(base, "kept_judge_inconsistent");
  const best = findMostConfident(base);
  if (best === null) {
    const reason = judge.addition(aspect, word);
    return reason === null ? end([], "addition_refused") : end([add(file, word)], reason);
  }
  const same = base.filter((sentiment) => sentiment.polarity === word).slice(0, 1);
  if (same.length > 0)
    return end(same, isCorrected ? "flipped_by_review" : base.length > 1 ? "conflict_resolved" : "confirmed");
  if (isFlipped && patched[0]?.polarity === word) return end(patched, "flipped_by_gate");
  if (listPolarities(reviewed, aspect).join() === word) return end(reviewed, "flipped_by_review");
  return end(base, `kept_${skipped}`);
}

/** Without tuples of a judge, the result of reviews and gate stands. */
function explainPatched({ aspect, stage1, reviewed }: AspectFile, patched: readonly Stated[], skipped: string): string {
  const [first, second, third] = [stage1, reviewed, patched].map((list) => listPolarities(list, aspect).join());
  if (third !== second) return second === "" ? "added_by_gate" : "flipped_by_gate";
  if (second === first) return `kept_${skipped}`;
  return first === "" ? "added_by_review" : second === "" ? "dropped_by_review" : "corrected_by_review";
}

function completeFrom(patched: readonly Stated[], sentiment: Stated): Stated {
  const same = patched.find((one) => one.polarity === sentiment.polarity);
  if (!same) return sentiment;
  const { evidence, opinion_term } = sentiment;
  return { ...same, evidence: same.evidence || evidence, opinion_term: same.opinion_term ?? opinion_term };
}

type Judge = ReturnType<typeof hearJudge>;

function hearJudge(
  material: Material,
  summary: PatchSummary,
  { files, speakers }: { files: readonly AspectFile[]; speakers: number },
) {
  const evaluates = (sentiment: Stated) => isEvaluative(material, sentiment);
  const foundNothing = !files.some(({ base }) => base.some(evaluates));
  const tuples = foundNothing ? nameWholeText(summary, evaluates) : summary.final_tuples;
  const words = readWords(tuples, summary);
  const byAspect = new Map(files.map((file) => [file.aspect, file]));
  const count = (aspect: string, polarity: Polarity) =>
    listSpoken(byAspect.get(aspect)).filter((vote) => vote.polarity_hint === polarity).length;
  const open = words.aspects.flatMap((aspect) => {
    const polarity = words.word(aspect);
    if (polarity === null || polarity === "inconsistent" || words.drops(aspect)) return [];
    const isNew = !byAspect.get(aspect)?.base.length;
    const opposite = flipPolarity(polarity);
    const isOpposed = opposite !== null && count(aspect, opposite) > count(aspect, polarity);
    return isNew && !isOpposed && evaluates(stateBarely(aspect, polarity)) ? [{ aspect, polarity }] : [];
  });
  const only = foundNothing ? chooseOnly(material.text, open, count) : null;
  return {
    ...words,
    /** The grounds for adding a tuple; null if there are none. */
    addition(aspect: string, polarity: Polarity): string | null {
      if (foundNothing)
        return only?.aspect === aspect && only.polarity === polarity ? "added_stage1_found_nothing" : null;
      return speakers > 0 && count(aspect, polarity) === speakers ? "added_by_all_speakers" : null;
    },
  };
}

function listSpoken(file: AspectFile | undefined): Hint[] {
  return file?.votes?.filter(({ speaker }) => speaker !== "judge") ?? [];
}

type JudgeTuple = { aspect_ref: string; polarity: Polarity };

/** The judge's summary by aspect: tuples go before the patch. */
function readWords(tuples: readonly JudgeTuple[], { final_patch }: PatchSummary) {
  const edits = final_patch
    .filter(({ op }) => op !== "merge_tuples")
    .map((patch) => ({ aspect: patch.target.aspect_ref, ...readVote(patch) }));
  const wordsFor = (aspect: string): Polarity[] => {
    const said = tuples.filter((tuple) => tuple.aspect_ref === aspect).map((tuple) => tuple.polarity);
    const patched = edits.filter((edit) => edit.aspect === aspect).flatMap(({ polarity }) => polarity ?? []);
    return [...new Set(said.length > 0 ? said : patched)];
  };
  const effective = edits.filter(({ polarity, removal }) => removal || polarity !== null);
  return {
    aspects: [...new Set([...tuples.map((tuple) => tuple.aspect_ref), ...effective.map(({ aspect }) => aspect)])],
    /** Its single polarity for the aspect; null if there is none. */
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

/** A judge that names nothing evaluative but labels the text positive or negative means the text as a whole. */
function nameWholeText(summary: PatchSummary, evaluates: (sentiment: Stated) => boolean): JudgeTuple[] {
  const { sentence_polarity: polarity, final_tuples } = summary;
  const isClear = polarity === "positive" || polarity === "negative";
  if (!isClear || final_tuples.some((tuple) => evaluates(stateBarely(tuple.aspect_ref, tuple.polarity))))
    return final_tuples;
  return [...final_tuples, { aspect_ref: "", polarity }];
}

/** The one tuple of the judge that may stand where Stage 1 found nothing: backed by most speakers, then the last in the text. */
function chooseOnly(
  text: string,
  open: { aspect: string; polarity: Polarity }[],
  count: (aspect: string, polarity: Polarity) => number,
) {
  const ordered = sortByPlace(text, open, ({ aspect }) => aspect).toReversed();
  return ordered.toSorted((a, b) => count(b.aspect, b.polarity) - count(a.aspect, a.polarity))[0] ?? null;
}

function stateBarely(aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, { evidence: "", confidence: 0 });
}
