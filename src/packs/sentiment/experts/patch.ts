/** EPM, TAN, CJ and the judge of a patch debate as programs (sentiment spec §3). */
import {
  type AspectView,
  findAspectGroup,
  isDoubtfulTarget,
  isNamedSurely,
  isRuledOut,
  judgeByStructure,
  type Reading,
  viewAspects,
} from "../../../knowledge/opinions/index.ts";
import { findTerm } from "../rules/text.ts";
import { canonicalisePolarity, findLastWord, findMostConfident, keepStated, type Stated } from "../rules/tuples.ts";
import type { Edit, Patch, PatchJudgeReply, PatchTurn, PatchTurnReply } from "../schemas/debate.ts";
import type { PatchJudgeInput, PatchSpeakerInput } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import type { Aspect, Polarity, Stage1 } from "../schemas/stage1.ts";
import { round } from "./stage1.ts";

/** The aspects that a debate is about, read anew: those of Stage 1, and what its sentiments name beyond them. */
export function viewDebate({ text, language_code }: Material, stage1: Stage1): readonly AspectView[] {
  const known = new Set(stage1.aspects.map((aspect) => aspect.term));
  const others = [...new Set(stage1.aspect_sentiments.map((one) => one.aspect_ref))].filter((term) => !known.has(term));
  const added = others.flatMap((term) => {
    const span = term === "" ? { start: 0, end: 0 } : findTerm(text, term);
    return span ? [{ term, span, normalized: null, confidence: 1 }] : [];
  });
  return viewAspects(text, language_code, [...stage1.aspects, ...added]);
}

/** The most confident stated sentiment of an aspect in Stage 1; null when it is missing. */
export function findStated({ aspect_sentiments }: Stage1, aspect: string): Stated | null {
  return findMostConfident(keepStated(aspect_sentiments, aspect));
}

type Grounds = { evidence: string | null; confidence: number | null };

/** Confirms what Stage 1 states, or sets what it should say. */
function state(aspect_ref: string, stated: Polarity | null, word: Polarity, grounds: Grounds): Edit {
  const isSame = stated === word;
  const op = isSame ? "confirm_tuple" : "set_polarity";
  return { op, target: { aspect_ref, polarity: stated }, value: isSame ? null : word, ...grounds };
}

function remove(aspect_ref: string, grounds: Grounds): Edit {
  return { op: "drop_tuple", target: { aspect_ref, polarity: null }, value: null, ...grounds };
}

function merge(aspect_ref: string, value: string, grounds: Grounds): Edit {
  return { op: "merge_tuples", target: { aspect_ref, polarity: null }, value, ...grounds };
}

/** What an edit stands on: the stretch from the aspect to the opinions of a reading, and how sure it is. */
function groundIn(text: string, view: AspectView, reading: Reading, confidence = reading.confidence): Grounds {
  const span = reading.opinions.length > 0 ? reading.evidence : view.spans[0];
  const words = span ? text.slice(span.start, span.end).trim() : "";
  return { evidence: words === "" ? null : words, confidence: round(confidence) };
}

/** Plays any patch persona: by its key, else by what its role and goal are about. */
export function speakPatch(input: PatchSpeakerInput): PatchTurnReply {
  const tasks: Record<string, typeof mapEvidence> = { epm: mapEvidence, tan: normaliseTargets, cj: weighEdits };
  const words = `${input.persona.role} ${input.persona.goal}`.toLowerCase();
  const guessed = /target|duplicate|normali|대상|정규화/.test(words)
    ? normaliseTargets
    : /consisten|judge|resolve|일관|판정/.test(words)
      ? weighEdits
      : mapEvidence;
  return { agent: input.persona.name, proposed_edits: (tasks[input.key.toLowerCase()] ?? guessed)(input) };
}

/** EPM: checks each polarity against the words that clause, relation and negation tie to the aspect, and answers the Validator. */
function mapEvidence(input: PatchSpeakerInput): Edit[] {
  const { material, stage1, memory } = input;
  return viewDebate(material, stage1).flatMap((view): Edit[] => {
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    const word = judgeByStructure(view);
    if (word === null || (word === "neutral" && stated === null)) return [];
    /** An injected lesson to abstain on this kind of aspect stops a change that is not sure. */
    const group = findAspectGroup(view.term, material.language_code);
    const isWarned = (memory ?? []).some((line) => line.advice === "abstain" && line.aspect_group === group);
    if (isWarned && stated !== word && view.scoped.confidence < 0.85) return [];
    return [state(view.term, stated, word, groundIn(material.text, view, view.scoped))];
  });
}

/** TAN: one name per target, nothing that is not a target, and a vote on what others would add. */
function normaliseTargets(input: PatchSpeakerInput): Edit[] {
  const { material, stage1 } = input;
  const { text } = material;
  const merged = findMerges(stage1.aspects);
  return viewDebate(material, stage1).flatMap((view): Edit[] => {
    const longer = merged.get(view.term);
    if (longer !== undefined && !isNamedSurely(view))
      return [merge(view.term, longer, { evidence: longer, confidence: 0.8 })];
    if (view.term !== "" && isDoubtfulTarget(view))
      return [remove(view.term, { evidence: view.term, confidence: 0.7 })];
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    if (stated !== null) {
      const isBorne = view.near.polarity === stated && judgeByStructure(view) !== "neutral";
      return isBorne ? [state(view.term, stated, stated, groundIn(text, view, view.near))] : [];
    }
    const proposed = findProposal(input.history, view.term);
    const reading = view.near.polarity === null && isNamedSurely(view) ? view.whole : view.near;
    if (proposed === null || reading.polarity !== proposed) return [];
    return [state(view.term, null, proposed, groundIn(text, view, reading))];
  });
}

/** "life" that only ever closes "battery life" is the same target, unless somebody is sure of it. */
function findMerges(aspects: readonly Aspect[]): Map<string, string> {
  const merges = new Map<string, string>();
  for (const term of new Set(aspects.map((aspect) => aspect.term))) {
    const holders = aspects
      .filter((aspect) => aspect.term === term)
      .map(({ span }) =>
        aspects.find((other) => other.term !== term && other.span.start <= span.start && other.span.end === span.end),
      );
    const [first] = holders;
    if (first && holders.every((holder) => holder?.term === first.term)) merges.set(term, first.term);
  }
  return merges;
}

function findProposal(history: readonly PatchTurn[], aspect: string): Polarity | null {
  const edits = history.flatMap((turn) => turn.proposed_edits).filter((edit) => edit.target.aspect_ref === aspect);
  return canonicalisePolarity(edits.findLast((edit) => edit.op === "set_polarity")?.value);
}

/** CJ: one edit per aspect, weighing what was said with what the text shows. */
function weighEdits({ material, stage1, history }: PatchSpeakerInput): Edit[] {
  return viewDebate(material, stage1).flatMap((view): Edit[] => {
    const resolution = resolve(material.text, view, history, stage1);
    return toEdit(stage1, view, resolution, groundIn(material.text, view, view.scoped, resolution.share));
  });
}

/** What becomes of an aspect, and the share of the weight behind it. */
type Resolution = { share: number } & (
  | { kind: "polarity"; polarity: Polarity; contested: boolean }
  | { kind: "drop" }
  | { kind: "merge"; into: string }
  | { kind: "silent" }
);

function toEdit(stage1: Stage1, { term }: AspectView, resolution: Resolution, grounds: Grounds): Edit[] {
  if (resolution.kind === "merge") return [merge(term, resolution.into, grounds)];
  if (resolution.kind === "drop") return [remove(term, grounds)];
  if (resolution.kind === "silent") return [];
  return [state(term, findStated(stage1, term)?.polarity ?? null, resolution.polarity, grounds)];
}

/** Weighs what was said of an aspect with Stage 1 and with the text as a whole: evidence counts in full, a bare claim by half. */
function resolve(text: string, view: AspectView, turns: readonly PatchTurn[], stage1: Stage1): Resolution {
  const asked = turns
    .flatMap((turn) => turn.proposed_edits)
    .findLast((edit) => /^(merge_tuples|set_aspect_ref)$/.test(edit.op) && edit.target.aspect_ref === view.term);
  if (asked?.value && text.includes(asked.value))
    return { kind: "merge", into: asked.value, share: asked.confidence ?? 1 };
  const scores = new Map<Polarity | "drop", number>();
  const add = (vote: Polarity | "drop", weight: number) => scores.set(vote, (scores.get(vote) ?? 0) + weight);
  for (const speaker of new Set(turns.map((turn) => turn.speaker))) {
    const last = findLastWord(turns, speaker, new Set([view.term]));
    const vote = last?.vote.removal ? "drop" : (last?.vote.polarity ?? null);
    if (last && vote !== null) add(vote, (last.edit.confidence ?? 0.6) * (last.edit.evidence ? 1 : 0.5));
  }
  const stated = findStated(stage1, view.term);
  if (stated) add(stated.polarity, 0.4 * stated.confidence);
  const own = readOwn(view, scores.size === 0);
  if (own) add(own, view.whole.confidence);
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1]);
  if (!best) return { kind: "silent", share: 0 };
  const share = best[1] / [...scores.values()].reduce((sum, weight) => sum + weight, 0);
  if (best[0] === "drop") return { kind: "drop", share };
  const contested = second !== undefined && second[0] !== "drop" && second[1] >= 0.8 * best[1];
  return { kind: "polarity", share, polarity: best[0], contested };
}

/** The judge's own view: the tone of the whole text, unless its structure says otherwise; of what nobody spoke of, no more than the structure shows. */
function readOwn(view: AspectView, isOpening: boolean): Polarity | null {
  const word = judgeByStructure(view);
  if (isOpening) return word === "neutral" ? null : word;
  if (word === "neutral" || view.term === "") return word;
  const { polarity } = view.whole;
  return polarity === null || polarity === "neutral" || isRuledOut(view, polarity) ? null : polarity;
}

/** The judge: decides every aspect and says on which words. */
export function judgePatch({ material, stage1, turns }: PatchJudgeInput): PatchJudgeReply {
  const { text } = material;
  const resolved = viewDebate(material, stage1).map((view) => ({
    view,
    resolution: resolve(text, view, turns, stage1),
  }));
  const rated = resolved.flatMap(({ view, resolution }) =>
    resolution.kind === "polarity" ? [{ view, ...resolution }] : [],
  );
  const evidence = resolved.flatMap(({ view }) => {
    const { evidence: span } = groundIn(text, view, view.scoped);
    return span === null ? [] : [{ aspect: view.term, span }];
  });
  const spans = evidence.map(({ span }) => span).toSorted((a, b) => b.length - a.length);
  const polarities = new Set(rated.map(({ polarity }) => polarity));
  const both = polarities.has("positive") && polarities.has("negative");
  const none = { evidence: null, confidence: null };
  return {
    sentence_evidence_spans: spans.length > 0 ? spans.slice(0, 3) : [text.trim().slice(0, 80).trim()],
    aspect_evidence: evidence,
    unresolved_conflicts: rated
      .filter(({ contested }) => contested)
      .map(({ view }) => `${view.term || "(implicit)"}: the readings are nearly balanced`),
    rationale:
      rated.map(({ view, polarity }) => explain(view, polarity)).join("; ") || "the text judges nothing that was named",
    final_patch: resolved
      .flatMap(({ view, resolution }) => toEdit(stage1, view, resolution, none))
      .map(({ op, target, value }): Patch => ({ op, target, value })),
    final_tuples: rated.map(({ view, polarity }) => ({ aspect_ref: view.term, polarity })),
    sentence_polarity: both ? "mixed" : ([...polarities].find((polarity) => polarity !== "neutral") ?? "neutral"),
  };
}

function explain(view: AspectView, polarity: Polarity): string {
  const words = view.scoped.opinions.map((opinion) => `"${opinion.term}"`).join(", ");
  return `${view.term || "(implicit)"} ${polarity}${words === "" ? "" : ` (${words}, ${view.scoped.via})`}`;
}
