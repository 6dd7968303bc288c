/** Experts for EPM, TAN, CJ, the judge of a patch debate and the reviewers (sentiment spec §3 and §5). */
import { type AspectView, judgeByStructure, type Reading, viewAspects } from "../../../knowledge/opinions/index.ts";
import { listStage1Terms } from "../rules/matcher.ts";
import { findTerm } from "../rules/text.ts";
import { findLastWord, findMostConfident, keepStated, type Stated } from "../rules/tuples.ts";
import type { Edit, Patch, PatchJudgeReply, PatchTurnReply } from "../schemas/debate.ts";
import type { PatchJudgeInput, PatchSpeakerInput, ReviewInput } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import type { Polarity, Stage1 } from "../schemas/stage1.ts";
import type { AteReviewReply, AtsaReviewReply, ValidatorReviewReply } from "../schemas/stage2.ts";
import { nameAspect, round, scoreConsistency } from "./stage1.ts";

export function viewDebate({ text, language_code }: Material, stage1: Stage1): readonly AspectView[] {
  const known = new Set(stage1.aspects.map((aspect) => aspect.term));
  const others = listStage1Terms(stage1).filter((term) => !known.has(term));
  const added = others.flatMap((term) => {
    const span = term === "" ? { start: 0, end: 0 } : findTerm(text, term);
    return span ? [{ term, span }] : [];
  });
  return viewAspects(text, language_code, [...stage1.aspects, ...added]);
}

function findStated({ aspect_sentiments }: Stage1, aspect: string): Stated | null {
  return findMostConfident(keepStated(aspect_sentiments, aspect));
}

/** Plays any patch persona: confirms or corrects Stage 1 by the structure of the text. Programs share this one reading. */
export function speakPatch({ material, stage1, persona }: PatchSpeakerInput): PatchTurnReply {
  const proposed_edits = viewDebate(material, stage1).flatMap((view): Edit[] => {
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    const polarity = judgeByStructure(view);
    if (polarity === null || (polarity === "neutral" && stated === null)) return [];
    const evidence = quote(material.text, view, view.scoped);
    return [{ ...toPatch(view.term, stated, polarity), evidence, confidence: round(view.scoped.confidence) }];
  });
  return { agent: persona.name, proposed_edits };
}

function toPatch(aspect_ref: string, stated: Polarity | null, polarity: Polarity): Patch {
  const target = { aspect_ref, polarity: stated };
  if (stated === polarity) return { op: "confirm_tuple", target, value: null };
  return { op: "set_polarity", target, value: polarity };
}

function quote(text: string, view: AspectView, reading: Reading): string | null {
  const span = reading.opinions.length > 0 ? reading.evidence : view.spans[0];
  return (span && text.slice(span.start, span.end).trim()) || null;
}

/** The judge: for each aspect the majority of Stage 1 and the speakers' last words, with the words that they quote. */
export function judgePatch({ material: { text }, stage1, turns }: PatchJudgeInput): PatchJudgeReply {
  const speakers = [...new Set(turns.map((turn) => turn.speaker))];
  const rated = listStage1Terms(stage1).flatMap((aspect) => {
    const stated = findStated(stage1, aspect);
    const spoken = speakers.flatMap((speaker) => findLastWord(turns, speaker, aspect) ?? []);
    const words = [stated, ...spoken.map(({ vote }) => vote)].flatMap((word) => word?.polarity ?? []);
    const [best, second] = [...Map.groupBy(words, (word) => word)].toSorted(([, a], [, b]) => b.length - a.length);
    const span = [...spoken.map(({ edit }) => edit.evidence), stated?.evidence].find(Boolean) ?? null;
    const isContested = best?.[1].length === second?.[1].length;
    return best ? [{ aspect, stated: stated?.polarity ?? null, polarity: best[0], isContested, span }] : [];
  });
  const aspect_evidence = rated.flatMap(({ aspect, span }) => (span === null ? [] : [{ aspect, span }]));
  const spans = aspect_evidence.map(({ span }) => span).toSorted((a, b) => b.length - a.length);
  const [first = "neutral", ...others] = new Set(
    rated.map(({ polarity }) => polarity).filter((polarity) => polarity !== "neutral"),
  );
  return {
    sentence_evidence_spans: spans.length > 0 ? spans.slice(0, 3) : [text.trim().slice(0, 80).trim()],
    aspect_evidence,
    unresolved_conflicts: rated
      .filter(({ isContested }) => isContested)
      .map(({ aspect }) => `${nameAspect(aspect)}: the readings are nearly balanced`),
    rationale:
      rated.map(({ aspect, polarity }) => `${nameAspect(aspect)} ${polarity}`).join("; ") ||
      "the text judges nothing that was named",
    final_patch: rated.map(({ aspect, stated, polarity }) => toPatch(aspect, stated, polarity)),
    final_tuples: rated.map(({ aspect, polarity }) => ({ aspect_ref: aspect, polarity })),
    sentence_polarity: others.length > 0 ? "mixed" : first,
  };
}

/** The reviewers of Stage 2 (sentiment spec §5) read like Stage 1, so they ask for no change. */
export function reviewAspects(): AteReviewReply {
  return { aspect_review: [] };
}

export function reviewSentiments(): AtsaReviewReply {
  return { sentiment_review: [] };
}

export function reviewValidation({ stage1 }: ReviewInput): ValidatorReviewReply {
  const structural_risks = stage1.validator?.structural_risks ?? [];
  return {
    structural_risks,
    final_validation: {
      resolved_risks: [],
      remaining_risks: structural_risks.map(({ type, description }) => `${type}: ${description}`),
      final_consistency_score: scoreConsistency(structural_risks),
    },
  };
}
