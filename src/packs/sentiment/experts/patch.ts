/** EPM, TAN, CJ and the judge of a patch debate as programs (sentiment spec §3). */
import { type AspectView, judgeByStructure, type Reading, viewAspects } from "../../../knowledge/opinions/index.ts";
import { findTerm } from "../rules/text.ts";
import { findLastWord, findMostConfident, keepStated, type Stated } from "../rules/tuples.ts";
import type { Edit, PatchJudgeReply, PatchTurn, PatchTurnReply } from "../schemas/debate.ts";
import type { PatchJudgeInput, PatchSpeakerInput } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import type { Polarity, Stage1 } from "../schemas/stage1.ts";
import { quoteWords, round } from "./stage1.ts";

export function viewDebate({ text, language_code }: Material, stage1: Stage1): readonly AspectView[] {
  const known = new Set(stage1.aspects.map((aspect) => aspect.term));
  const others = [...new Set(stage1.aspect_sentiments.map((one) => one.aspect_ref))].filter((term) => !known.has(term));
  const added = others.flatMap((term) => {
    const span = term === "" ? { start: 0, end: 0 } : findTerm(text, term);
    return span ? [{ term, span, confidence: 1 }] : [];
  });
  return viewAspects(text, language_code, [...stage1.aspects, ...added]);
}

/** The most confident stated sentiment of an aspect in Stage 1; null when it is missing. */
export function findStated({ aspect_sentiments }: Stage1, aspect: string): Stated | null {
  return findMostConfident(keepStated(aspect_sentiments, aspect));
}

type Word = { polarity: Polarity; reading: Reading; confidence: number };

const readers: Record<string, (view: AspectView, input: PatchSpeakerInput) => Word | null> = {
  epm: (view) => {
    const polarity = judgeByStructure(view);
    return polarity && { polarity, reading: view.scoped, confidence: view.scoped.confidence };
  },
  tan: (view, { stage1, history }) => {
    const { near } = view;
    const edits = history.flatMap((turn) => turn.proposed_edits).filter((edit) => edit.target.aspect_ref === view.term);
    const asked = edits.findLast((edit) => edit.op === "set_polarity")?.value;
    const isBorne = near.polarity !== null && near.polarity === (findStated(stage1, view.term)?.polarity ?? asked);
    return isBorne && judgeByStructure(view) !== "neutral"
      ? { polarity: near.polarity as Polarity, reading: near, confidence: near.confidence }
      : null;
  },
  cj: (view, { stage1, history }) => {
    const settled = weighWords(view, history, stage1);
    return settled && { polarity: settled.polarity, reading: view.scoped, confidence: settled.share };
  },
};

export function speakPatch(input: PatchSpeakerInput): PatchTurnReply {
  const { material, stage1, key, persona } = input;
  const read = readers[key.toLowerCase()] ?? readers.epm;
  const proposed_edits = viewDebate(material, stage1).flatMap((view): Edit[] => {
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    const word = read?.(view, input) ?? null;
    if (word === null || (word.polarity === "neutral" && stated === null)) return [];
    const isSame = stated === word.polarity;
    const evidence = quote(material.text, view, word.reading);
    const target = { aspect_ref: view.term, polarity: stated };
    const confidence = round(word.confidence);
    if (isSame) return [{ op: "confirm_tuple", target, value: null, evidence, confidence }];
    return [{ op: "set_polarity", target, value: word.polarity, evidence, confidence }];
  });
  return { agent: persona.name, proposed_edits };
}

function quote(text: string, view: AspectView, reading: Reading): string | null {
  const span = reading.opinions.length > 0 ? reading.evidence : view.spans[0];
  return (span && text.slice(span.start, span.end).trim()) || null;
}

function weighWords(view: AspectView, turns: readonly PatchTurn[], stage1: Stage1) {
  const scores = new Map<Polarity, number>();
  const add = (polarity: Polarity, weight: number) => scores.set(polarity, (scores.get(polarity) ?? 0) + weight);
  for (const speaker of new Set(turns.map((turn) => turn.speaker))) {
    const last = findLastWord(turns, speaker, new Set([view.term]));
    if (last?.vote.polarity) add(last.vote.polarity, (last.edit.confidence ?? 0.6) * (last.edit.evidence ? 1 : 0.5));
  }
  const stated = findStated(stage1, view.term);
  if (stated) add(stated.polarity, 0.4 * stated.confidence);
  const own = judgeByStructure(view);
  if (own !== null && (scores.size > 0 || own !== "neutral")) add(own, view.whole.confidence);
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1]);
  if (!best) return null;
  const all = [...scores.values()].reduce((sum, weight) => sum + weight, 0);
  return { polarity: best[0], share: best[1] / all, contested: second !== undefined && second[1] >= 0.8 * best[1] };
}

export function judgePatch({ material, stage1, turns }: PatchJudgeInput): PatchJudgeReply {
  const { text } = material;
  const rated = viewDebate(material, stage1).flatMap((view) => {
    const word = weighWords(view, turns, stage1);
    return word === null ? [] : [{ view, ...word, span: quote(text, view, view.scoped) }];
  });
  const evidence = rated.flatMap(({ view, span }) => (span === null ? [] : [{ aspect: view.term, span }]));
  const spans = evidence.map(({ span }) => span).toSorted((a, b) => b.length - a.length);
  const polarities = new Set(rated.map(({ polarity }) => polarity));
  const both = polarities.has("positive") && polarities.has("negative");
  return {
    sentence_evidence_spans: spans.length > 0 ? spans.slice(0, 3) : [text.trim().slice(0, 80).trim()],
    aspect_evidence: evidence,
    unresolved_conflicts: rated
      .filter(({ contested }) => contested)
      .map(({ view }) => `${view.term || "(implicit)"}: the readings are nearly balanced`),
    rationale:
      rated.map(({ view, polarity }) => explain(view, polarity)).join("; ") || "the text judges nothing that was named",
    final_patch: rated.map(({ view, polarity }) => {
      const stated = findStated(stage1, view.term)?.polarity ?? null;
      const target = { aspect_ref: view.term, polarity: stated };
      if (stated === polarity) return { op: "confirm_tuple", target, value: null };
      return { op: "set_polarity", target, value: polarity };
    }),
    final_tuples: rated.map(({ view, polarity }) => ({ aspect_ref: view.term, polarity })),
    sentence_polarity: both ? "mixed" : ([...polarities].find((polarity) => polarity !== "neutral") ?? "neutral"),
  };
}

function explain(view: AspectView, polarity: Polarity): string {
  const words = quoteWords(view);
  return `${view.term || "(implicit)"} ${polarity}${words === "" ? "" : ` (${words}, ${view.scoped.via})`}`;
}
