/** Settles the judge's tuples of a patch debate (sentiment spec §6 and §6a): moves, gate and settling lean on each other. */
import { pickThresholds, type SentimentConfig } from "../config/config.ts";
import {
  type DebateOutput,
  type Label,
  type PatchDebate,
  type PatchSummary,
  type PatchTurn,
  silentJudge,
} from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type { Correction, Settlement } from "../schemas/output.ts";
import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import type { ReviewContext } from "../schemas/stage2.ts";
import type { Reviewed } from "./apply-reviews.ts";
import type { AspectMatcher } from "./matcher.ts";
import { createMemoryAdvice } from "./memory.ts";
import { type GateInput, type GateOutcome, overrideGate } from "./override-gate.ts";
import { orderByText, sortByPlace } from "./text.ts";
import {
  canonicalisePolarity,
  createSentiment,
  findLastWord,
  findMostConfident,
  findMoveTarget,
  isEvaluative,
  keepOwnVoices,
  keepStated,
  pickOwn,
  readVote,
  type Stated,
} from "./tuples.ts";

/** A case with its debate, as the gate and the settling see it. */
export type DebatedCase<D extends DebateOutput> = {
  turns: CaseTurns;
  debate: D;
  context: ReviewContext;
  matcher: AspectMatcher;
  config: SentimentConfig;
};

/** Runs the override gate on a debate of either style; null when it is switched off. */
export function gateDebate(
  { turns, debate, context, matcher, config }: DebatedCase<DebateOutput>,
  sentiments: readonly Sentiment[],
  acceptsAddition: GateInput["acceptsAddition"],
): GateOutcome | null {
  if (!config.enable_debate_override) return null;
  return overrideGate({
    material: turns.material,
    text_id: turns.text_id,
    sentiments,
    risks: turns.stage1.validator?.structural_risks ?? [],
    review_context: context,
    thresholds: pickThresholds(config.debate_override),
    memoryAdvisesAgainst: createMemoryAdvice(debate.memory.injected, matcher),
    acceptsAddition,
  });
}

/** A sentiment goes from one term to another. */
export type Move = { from: string; to: string };

/** What a patch debate comes to. */
export type PatchOutcome = {
  gate: GateOutcome | null;
  moves: Move[];
  /** The renames and merges that were carried out or refused. */
  moved: Correction[];
  judge: JudgeWords;
  settled: Stated[];
  settlements: Settlement[];
  dropped: string[];
  /** The reviewed list after moves and override. */
  patched: Sentiment[];
};

/** Carries out the confirmed moves, asks the gate, and settles the judge's tuples. */
export function settleDebate(given: DebatedCase<PatchDebate>, reviewed: Reviewed): PatchOutcome {
  const { turns, debate, matcher, config } = given;
  const summary = debate.summary ?? silentJudge;
  const spoken = keepOwnVoices(debate.rounds.flatMap((round) => round.turns));
  const { moves, moved } = findMoves(summary, spoken, matcher);
  const list = moveSentiments(reviewed.sentiments, moves);
  const stage1 = moveSentiments(turns.stage1.aspect_sentiments, moves);
  const base = moveSentiments(withResolving(turns.stage1.aspect_sentiments, reviewed), moves);
  const evaluates = (sentiment: Stated) => isEvaluative(turns.material, sentiment);
  const foundNothing = !keepStated(base).some(evaluates);
  const judge = readJudge(foundNothing ? nameWholeText(summary, evaluates) : summary);
  const voices = createVoices(spoken, moves);
  const addition = createAdditionRule({
    voices,
    minSpeakers: config.settle.min_speakers,
    sentence: summary.sentence_polarity,
    whenEmpty: foundNothing
      ? {
          candidates: orderCandidates(
            turns.material.text,
            listCandidates(judge, base, evaluates),
            summary.sentence_polarity,
          ),
          most: config.settle.max_additions_when_empty,
        }
      : null,
    denied: findDeniedNames(summary, matcher),
  });
  const isBacked = (aspect: string, polarity: Polarity) =>
    judge.word(aspect) === polarity &&
    !judge.drops(aspect) &&
    (keepStated(base, aspect).length > 0 || addition(aspect, polarity) !== null);
  const gate = gateDebate({ ...given, context: moveVotes(given.context, moves) }, list, isBacked);
  const settled = settleSummary({
    text: turns.material.text,
    judge,
    stage1,
    base,
    addition,
    gate: (aspect) => readGate(gate, aspect),
    reviewed: (aspect) => findOnlyPolarity(list, aspect),
    isDropped: (aspect) => keepStated(list, aspect).length === 0 && keepStated(stage1, aspect).length > 0,
    voices,
    flipSpeakers: config.settle.flip_speakers,
    cap: config.debate_override.min_target_conf,
    evidence: (aspect) => findEvidence(turns.material.text, aspect, summary, spoken),
  });
  return { gate, moves, moved, judge, ...settled, patched: gate?.sentiments ?? list };
}

/** The Stage 1 list in which every correction that resolved a risk stands: only an override that passes the gate undoes it. */
function withResolving(stage1: readonly Sentiment[], { resolving, sentiments }: Reviewed): Sentiment[] {
  const kept = stage1.filter((one) => !resolving.includes(one.aspect_ref));
  return [...kept, ...sentiments.filter((one) => resolving.includes(one.aspect_ref))];
}

/** What each speaker said last of an aspect, under any of its names. */
type Voices = {
  speakers: number;
  count(aspect: string, polarity: Polarity): number;
  countRemovals(aspect: string): number;
};

function createVoices(spoken: readonly PatchTurn[], moves: readonly Move[]): Voices {
  const speakers = [...new Set(spoken.map((turn) => turn.speaker))];
  const words = (aspect: string) => {
    const names = new Set([aspect, ...moves.filter((move) => move.to === aspect).map((move) => move.from)]);
    return speakers.flatMap((speaker) => findLastWord(spoken, speaker, names)?.vote ?? []);
  };
  return {
    speakers: speakers.length,
    count: (aspect, polarity) => words(aspect).filter((vote) => vote.polarity === polarity).length,
    countRemovals: (aspect) => words(aspect).filter((vote) => vote.removal).length,
  };
}

/** The renames and merges that a speaker asked for and the judge confirms; one of the judge alone is refused and logged. */
function findMoves(summary: PatchSummary, spoken: readonly PatchTurn[], matcher: AspectMatcher) {
  type Asked = Move & { by: string; op: string };
  const toMoves = (by: string, edits: Parameters<typeof findMoveTarget>[0][]): Asked[] =>
    edits.flatMap((edit) => {
      const to = findMoveTarget(edit, matcher);
      const from = edit.target.aspect_ref;
      return to === null || to === "" || to === from ? [] : [{ from, to, by, op: edit.op }];
    });
  const asked = spoken.flatMap((turn) => toMoves(turn.agent, turn.proposed_edits));
  const judged = toMoves("judge", summary.final_patch);
  const named = new Set(summary.final_tuples.map((tuple) => tuple.aspect_ref));
  const same = (a: Move, b: Move) => a.from === b.from && a.to === b.to;
  const isConfirmed = (move: Move) =>
    !named.has(move.from) && (named.has(move.to) || judged.some((other) => same(move, other)));
  const moves: Move[] = [];
  const moved: Correction[] = [];
  for (const move of asked) {
    const known = moves.some(({ from, to }) => from === move.from || from === move.to || to === move.from);
    if (known || !isConfirmed(move)) continue;
    moves.push({ from: move.from, to: move.to });
    moved.push(writeMove(move, true, "confirmed_by_judge"));
  }
  for (const move of judged)
    if (!asked.some((other) => same(move, other))) moved.push(writeMove(move, false, "asked_by_judge_alone"));
  return { moves, moved };
}

function writeMove(
  { from, to, by, op }: Move & { by: string; op: string },
  applied: boolean,
  reason: string,
): Correction {
  return {
    proposal_type: op === "merge_tuples" ? "MERGE_TUPLES" : "RENAME_ASPECT",
    target_aspect: from,
    asked_by: by,
    rationale: `${from} → ${to}`,
    applied,
    reason,
    resulting_polarity: null,
    resulting_term: applied ? to : null,
    provenance: `source:${by}/patch`,
  };
}

/** The terms that the judge's patch renames an aspect to while its tuples still name the old one: no aspects of their own. */
function findDeniedNames(summary: PatchSummary, matcher: AspectMatcher): Set<string> {
  const named = new Set(summary.final_tuples.map((tuple) => tuple.aspect_ref));
  const denied = summary.final_patch
    .filter((edit) => edit.op === "set_aspect_ref" && named.has(edit.target.aspect_ref))
    .flatMap((edit) => findMoveTarget(edit, matcher) ?? []);
  return new Set(denied.filter((term) => !matcher.terms.includes(term)));
}

/** Carries out the moves on a list; an aspect that received a sentiment keeps one of each polarity. */
function moveSentiments(sentiments: readonly Sentiment[], moves: readonly Move[]): Sentiment[] {
  if (moves.length === 0) return [...sentiments];
  const targets = new Set(moves.map((move) => move.to));
  const moved = sentiments.map((sentiment) => {
    const move = moves.find(({ from }) => from === sentiment.aspect_ref);
    return move ? { ...sentiment, aspect_ref: move.to, is_implicit: false } : sentiment;
  });
  return moved.filter((sentiment, at) => {
    if (!targets.has(sentiment.aspect_ref)) return true;
    const rivals = moved.filter((other) => other.aspect_ref === sentiment.aspect_ref);
    if (sentiment.polarity === null) return keepStated(rivals).length === 0;
    const best = findMostConfident(rivals.filter((other) => other.polarity === sentiment.polarity));
    return best !== null && moved.indexOf(best) === at;
  });
}

/** Votes on an aspect that was renamed or merged are votes on what it became; a speaker still has one. */
function moveVotes(context: ReviewContext, moves: readonly Move[]): ReviewContext {
  if (moves.length === 0) return context;
  const hints = new Map(Object.entries(context.aspect_hints));
  const invalid = new Map(Object.entries(context.invalid_hint_count));
  for (const { from, to } of moves) {
    const moved = hints.get(from);
    if (moved === undefined) continue;
    const own = hints.get(to) ?? [];
    hints.set(to, [...own, ...moved.filter((hint) => !own.some(({ speaker }) => speaker === hint.speaker))]);
    invalid.set(to, (invalid.get(to) ?? 0) + (invalid.get(from) ?? 0));
    hints.delete(from);
    invalid.delete(from);
  }
  return { ...context, aspect_hints: Object.fromEntries(hints), invalid_hint_count: Object.fromEntries(invalid) };
}

/** The judge's summary, read aspect by aspect. */
export type JudgeWords = {
  word(aspect: string): Polarity | "inconsistent" | null;
  /** True when the judge drops the aspect; a drop that names one polarity spares a tuple of another. */
  drops(aspect: string): boolean;
  aspects: string[];
};

export function readJudge(summary: PatchSummary): JudgeWords {
  const said = new Map<string, Set<Polarity>>();
  const patched = new Map<string, Set<Polarity>>();
  const dropped = new Map<string, Set<Polarity | null>>();
  const addTo = <T>(map: Map<string, Set<T>>, key: string, value: T) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const tuple of summary.final_tuples) addTo(said, tuple.aspect_ref, tuple.polarity);
  for (const patch of summary.final_patch) {
    const { aspect_ref } = patch.target;
    const { polarity } = readVote(patch);
    if (polarity !== null && patch.op !== "merge_tuples") addTo(patched, aspect_ref, polarity);
    if (patch.op === "drop_tuple") addTo(dropped, aspect_ref, canonicalisePolarity(patch.target.polarity));
  }
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

/** A judge that names nothing evaluative but calls the text positive or negative speaks of the text as a whole. */
function nameWholeText(summary: PatchSummary, evaluates: (sentiment: Stated) => boolean): PatchSummary {
  const { sentence_polarity: polarity, final_tuples } = summary;
  const isClear = polarity === "positive" || polarity === "negative";
  if (!isClear || final_tuples.some((tuple) => evaluates(toSentiment(tuple.aspect_ref, tuple.polarity))))
    return summary;
  return { ...summary, final_tuples: [...final_tuples, { aspect_ref: "", aspect_term: "", polarity }] };
}

type Candidate = { aspect: string; polarity: Polarity };

/** What the judge says of aspects that Stage 1 says nothing of, in the judge's order; what would be shown, where any would. */
function listCandidates(
  judge: JudgeWords,
  base: readonly Sentiment[],
  evaluates: (sentiment: Stated) => boolean,
): Candidate[] {
  const open = judge.aspects.flatMap((aspect) => {
    const polarity = judge.word(aspect);
    if (polarity === null || polarity === "inconsistent" || judge.drops(aspect)) return [];
    return keepStated(base, aspect).length > 0 ? [] : [{ aspect, polarity }];
  });
  const shown = open.filter(({ aspect, polarity }) => evaluates(toSentiment(aspect, polarity)));
  return shown.length > 0 ? shown : open;
}

/**
 * What might stand for the whole text, the likeliest first: what agrees with the judge's word on the text; in a text of two
 * minds what comes last, because the end of a contrast concludes; otherwise the judge's order.
 */
function orderCandidates(text: string, candidates: readonly Candidate[], sentence: Label | null): Candidate[] {
  if (sentence === "mixed") return sortByPlace(text, candidates, ({ aspect }) => aspect).toReversed();
  return candidates.toSorted((a, b) => Number(b.polarity === sentence) - Number(a.polarity === sentence));
}

function toSentiment(aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, { evidence: "", confidence: 0 });
}

/** Says why an addition is accepted; null when it is not. */
export type AdditionRule = (aspect: string, polarity: Polarity) => string | null;

/** The rule on additions (step 5): enough speakers whose last word is this polarity, or a silent Stage 1. */
export function createAdditionRule(input: {
  voices: Voices;
  minSpeakers: number | null;
  /** The judge's word on the whole text. */
  sentence: Label | null;
  /** What the judge would add to a Stage 1 that found nothing, the likeliest first, and how many of it may be added; null otherwise. */
  whenEmpty: { candidates: readonly Candidate[]; most: number } | null;
  /** Terms that are no aspects of their own. */
  denied: ReadonlySet<string>;
}): AdditionRule {
  const { voices } = input;
  const chosen = input.whenEmpty?.candidates
    .filter((one) => !input.denied.has(one.aspect))
    .toSorted((a, b) => voices.count(b.aspect, b.polarity) - voices.count(a.aspect, a.polarity))
    .slice(0, input.whenEmpty.most);
  return (aspect, polarity) => {
    if (input.denied.has(aspect)) return null;
    if (chosen) {
      const isChosen = chosen.some((one) => one.aspect === aspect && one.polarity === polarity);
      return isChosen ? "added_stage1_found_nothing" : null;
    }
    if (voices.speakers === 0) return null;
    const agreeing = voices.count(aspect, polarity);
    if (agreeing === voices.speakers) return "added_by_all_speakers";
    const heard = agreeing + (agreeing > 0 && polarity === input.sentence ? 1 : 0);
    return input.minSpeakers !== null && heard >= input.minSpeakers ? "added_by_enough_speakers" : null;
  };
}

function readGate(gate: GateOutcome | null, aspect: string): { applied: Polarity | null; skipped: string } {
  const record = gate?.records.find((one) => one.aspect === aspect);
  const applied = gate?.applied?.aspect === aspect ? gate.applied.polarity : null;
  return { applied, skipped: record?.skip_reason ?? (gate === null ? "override_disabled" : "low_signal") };
}

function findOnlyPolarity(list: readonly Sentiment[], aspect: string): Polarity | null {
  const found = [...new Set(keepStated(list, aspect).map((sentiment) => sentiment.polarity))];
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The evidence and confidence of an addition: words given for this aspect, or a sentence span that names it. */
function findEvidence(text: string, aspect: string, summary: PatchSummary, spoken: readonly PatchTurn[]) {
  const own = pickOwn(summary.aspect_evidence, aspect);
  const spans = own === undefined ? summary.sentence_evidence_spans.filter((span) => span.includes(aspect)) : [own];
  const edits = spoken.flatMap((turn) => turn.proposed_edits).filter((edit) => edit.target.aspect_ref === aspect);
  const stated = edits.flatMap((edit) => edit.confidence ?? []);
  return {
    evidence: spans.find((span) => text.includes(span)) ?? "",
    confidence: stated.length === 0 ? 1 : stated.reduce((a, b) => a + b, 0) / stated.length,
  };
}

export type SettleInput = {
  text: string;
  judge: JudgeWords;
  /** The Stage 1 list after the confirmed moves, and the same with the corrections that resolved a risk. */
  stage1: readonly Sentiment[];
  base: readonly Sentiment[];
  addition: AdditionRule;
  /** The gate's word on an aspect: the polarity it applied, or why it skipped it. */
  gate(aspect: string): { applied: Polarity | null; skipped: string };
  /** The polarity that the reviews left an aspect with, and whether they dropped it. */
  reviewed(aspect: string): Polarity | null;
  isDropped(aspect: string): boolean;
  voices: Voices;
  /** How many speakers carry a flip with the judge that the gate held back as weak; null is none. */
  flipSpeakers: number | null;
  /** The most that a changed tuple may be sure. */
  cap: number;
  evidence(aspect: string): { evidence: string; confidence: number };
};

/** What the rules accept of the judge's tuples, each with its reason. */
export function settleSummary(input: SettleInput): { settled: Stated[]; settlements: Settlement[]; dropped: string[] } {
  const known = [...input.stage1, ...input.base].filter((one) => one.polarity !== null).map((one) => one.aspect_ref);
  const all = orderByText(input.text, [...new Set([...known, ...input.judge.aspects])]).map((aspect) =>
    settleAspect(aspect, input),
  );
  return {
    settled: all.flatMap((one) => one.kept),
    settlements: all.map((one) => one.settlement),
    dropped: all.filter((one) => one.settlement.reason.startsWith("dropped")).map((one) => one.settlement.aspect),
  };
}

type Settled = { kept: Stated[]; settlement: Settlement };

function settleAspect(aspect: string, input: SettleInput): Settled {
  const word = input.judge.word(aspect);
  const stage1 = findMostConfident(keepStated(input.stage1, aspect))?.polarity ?? null;
  const own = keepStated(input.base, aspect);
  const corrected = stage1 !== null && findOnlyPolarity(input.base, aspect) !== stage1;
  const end = (kept: Stated[], reason: string): Settled => ({
    kept,
    settlement: { aspect, judge: word, stage1, settled: kept[0]?.polarity ?? null, reason },
  });
  if (stage1 !== null && own.length === 0) return end([], "dropped_by_review");
  if (input.judge.drops(aspect)) return settleDrop(aspect, own, input, end);
  if (word === null) return end(own, corrected ? "corrected_by_review" : "kept_judge_silent");
  if (word === "inconsistent") return end(own, "kept_judge_inconsistent");
  if (own.length === 0) {
    const reason = input.addition(aspect, word);
    if (reason === null) return end([], "addition_refused");
    const { evidence, confidence } = input.evidence(aspect);
    return end([createSentiment(aspect, word, { evidence, confidence: Math.min(confidence, input.cap) })], reason);
  }
  const same = own.filter((sentiment) => sentiment.polarity === word);
  if (same.length === 0) return settleFlip(aspect, word, own, input, end);
  if (corrected) return end(same.slice(0, 1), "flipped_by_review");
  return end(same.slice(0, 1), same.length < own.length ? "conflict_resolved" : "confirmed");
}

/** A drop needs a second voice beside the judge: a speaker's, or a review's. */
function settleDrop(
  aspect: string,
  own: Stated[],
  input: SettleInput,
  end: (kept: Stated[], reason: string) => Settled,
): Settled {
  if (own.length === 0) return end([], "dropped_by_judge");
  const backed = input.voices.countRemovals(aspect) > 0 || input.isDropped(aspect);
  return backed ? end([], "dropped_by_judge") : end(own, "kept_drop_unsupported");
}

/** What the gate says of votes that are few or soft, not of votes that conflict or stand on nothing. */
const weakSignals = ["implicit_soft_only", "low_signal", "neutral_only"];

/** A flip needs the gate, a review or, in an eager profile, enough speakers behind it; otherwise what was there stands, with the gate's reason. */
function settleFlip(
  aspect: string,
  word: Polarity,
  own: Stated[],
  input: SettleInput,
  end: (kept: Stated[], reason: string) => Settled,
): Settled {
  const gate = input.gate(aspect);
  const asked = input.flipSpeakers !== null && input.voices.count(aspect, word) >= input.flipSpeakers;
  const carriers: [string, boolean][] = [
    ["flipped_by_gate", gate.applied === word],
    ["flipped_by_review", input.reviewed(aspect) === word],
    ["flipped_by_speakers", weakSignals.includes(gate.skipped) && asked],
  ];
  const reason = carriers.find(([, carries]) => carries)?.[0] ?? null;
  const best = findMostConfident(own);
  if (reason === null || best === null) return end(own, `kept_${gate.skipped}`);
  const confidence = Math.min(best.confidence, input.cap);
  return end([{ ...best, polarity: word, confidence, polarity_distribution: null }], reason);
}
