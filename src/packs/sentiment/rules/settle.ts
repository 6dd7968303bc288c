/** Settles the judge's tuples of a patch debate (sentiment spec §6 and §6a): moves, gate and settling lean on each other. */
import type { SentimentConfig } from "../config/config.ts";
import {
  type DebateOutput,
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
  createSentiment,
  findMostConfident,
  findMoveTarget,
  isEvaluative,
  keepOwnVoices,
  keepStated,
  listPolarities,
  pickOwn,
  readVote,
  type Stated,
} from "./tuples.ts";

/** A case with its debate, as the gate and the settling see it. */
type DebatedCase<D extends DebateOutput> = {
  turns: CaseTurns;
  debate: D;
  context: ReviewContext;
  matcher: AspectMatcher;
  config: SentimentConfig;
};

/** Runs the override gate on a debate of either style; null when it is switched off. */
export function gateDebate(
  { turns, debate, context, matcher, config }: DebatedCase<DebateOutput>,
  { sentiments, stage1 }: Pick<GateInput, "sentiments" | "stage1">,
  acceptsAddition: GateInput["acceptsAddition"],
): GateOutcome | null {
  if (!config.enable_debate_override) return null;
  return overrideGate({
    material: turns.material,
    text_id: turns.text_id,
    sentiments,
    stage1,
    risks: turns.stage1.validator?.structural_risks ?? [],
    review_context: context,
    thresholds: config.debate_override,
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
  const { text } = turns.material;
  const summary = debate.summary ?? silentJudge;
  const spoken = keepOwnVoices(debate.rounds.flatMap((round) => round.turns));
  const { moves, moved } = findMoves(summary, spoken, matcher);
  const list = moveSentiments(reviewed.sentiments, moves);
  const stage1 = moveSentiments(turns.stage1.aspect_sentiments, moves);
  const base = moveSentiments(withResolving(turns.stage1.aspect_sentiments, reviewed), moves);
  const evaluates = (sentiment: Stated) => isEvaluative(turns.material, sentiment);
  const foundNothing = !keepStated(base).some(evaluates);
  const judge = readJudge(foundNothing ? nameWholeText(summary, evaluates) : summary);
  const context = moveVotes(given.context, moves);
  const voices = createVoices(debate, context);
  const only = foundNothing ? chooseOnly(text, summary, judge, { base, evaluates, voices }) : null;
  const addition = (aspect: string, polarity: Polarity): string | null => {
    if (foundNothing)
      return only?.aspect === aspect && only.polarity === polarity ? "added_stage1_found_nothing" : null;
    const isAgreed = voices.speakers > 0 && voices.count(aspect, polarity) === voices.speakers;
    return isAgreed ? "added_by_all_speakers" : null;
  };
  const isBacked = (aspect: string, polarity: Polarity) =>
    judge.word(aspect) === polarity &&
    !judge.drops(aspect) &&
    (keepStated(base, aspect).length > 0 || addition(aspect, polarity) !== null);
  const gate = gateDebate({ ...given, context }, { sentiments: list, stage1 }, isBacked);
  const input: SettleInput = {
    judge,
    stage1,
    base,
    list,
    gate,
    voices,
    addition,
    cap: config.debate_override.min_target_conf,
    evidence: (aspect) => findEvidence(text, aspect, summary, spoken),
  };
  const known = keepStated([...stage1, ...base]).map((one) => one.aspect_ref);
  const all = orderByText(text, [...new Set([...known, ...judge.aspects])]).map((one) => settleAspect(one, input));
  return {
    gate,
    moves,
    moved,
    judge,
    settled: all.flatMap((one) => one.kept),
    settlements: all.map((one) => one.settlement),
    dropped: all.flatMap(({ settlement: { reason, aspect } }) => (reason.startsWith("dropped") ? [aspect] : [])),
    patched: gate?.sentiments ?? list,
  };
}

/** The Stage 1 list in which every correction that resolved a risk stands: only an override that passes the gate undoes it. */
function withResolving(stage1: readonly Sentiment[], { resolving, sentiments }: Reviewed): Sentiment[] {
  const kept = stage1.filter((one) => !resolving.includes(one.aspect_ref));
  return [...kept, ...sentiments.filter((one) => resolving.includes(one.aspect_ref))];
}

/** Who of the speakers votes for what: one vote for each on an aspect. */
function createVoices({ rounds }: PatchDebate, { aspect_hints }: ReviewContext) {
  const votes = (aspect: string) => (pickOwn(aspect_hints, aspect) ?? []).filter(({ speaker }) => speaker !== "judge");
  return {
    speakers: new Set(rounds.flatMap(({ turns }) => turns).map(({ speaker }) => speaker)).size,
    count: (aspect: string, polarity: Polarity) =>
      votes(aspect).filter((vote) => vote.polarity_hint === polarity).length,
    countRemovals: (aspect: string) => votes(aspect).filter((vote) => vote.removal).length,
  };
}
type Voices = ReturnType<typeof createVoices>;

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
  const log = ({ from, to, by, op }: Asked, applied: boolean, reason: string) =>
    moved.push({
      proposal_type: op === "merge_tuples" ? "MERGE_TUPLES" : "RENAME_ASPECT",
      target_aspect: from,
      asked_by: by,
      rationale: `${from} → ${to}`,
      applied,
      reason,
      resulting_polarity: null,
      resulting_term: applied ? to : null,
      provenance: `source:${by}/patch`,
    });
  for (const move of asked) {
    const known = moves.some(({ from, to }) => from === move.from || from === move.to || to === move.from);
    if (known || !isConfirmed(move)) continue;
    moves.push({ from: move.from, to: move.to });
    log(move, true, "confirmed_by_judge");
  }
  for (const move of judged) if (!asked.some((other) => same(move, other))) log(move, false, "asked_by_judge_alone");
  return { moves, moved };
}

/** Carries out the moves on a list; an aspect that received a sentiment keeps one of each polarity. */
function moveSentiments(sentiments: readonly Sentiment[], moves: readonly Move[]): Sentiment[] {
  const targets = new Set(moves.map((move) => move.to));
  const moved = sentiments.map((sentiment) => {
    const move = moves.find(({ from }) => from === sentiment.aspect_ref);
    return move ? { ...sentiment, aspect_ref: move.to, is_implicit: false } : sentiment;
  });
  return moved.filter((sentiment) => {
    if (!targets.has(sentiment.aspect_ref)) return true;
    const rivals = moved.filter((other) => other.aspect_ref === sentiment.aspect_ref);
    if (sentiment.polarity === null) return keepStated(rivals).length === 0;
    return findMostConfident(rivals.filter((other) => other.polarity === sentiment.polarity)) === sentiment;
  });
}

/** Votes on an aspect that was renamed or merged are votes on what it became; a speaker still has one. */
function moveVotes(context: ReviewContext, moves: readonly Move[]): ReviewContext {
  const hints = new Map(Object.entries(context.aspect_hints));
  for (const { from, to } of moves) {
    const own = hints.get(to) ?? [];
    const moved = (hints.get(from) ?? []).filter((hint) => !own.some(({ speaker }) => speaker === hint.speaker));
    if (hints.delete(from)) hints.set(to, [...own, ...moved]);
  }
  return { ...context, aspect_hints: Object.fromEntries(hints) };
}

/** The judge's summary, read aspect by aspect: its tuples come before its patch. */
type JudgeWords = {
  word(aspect: string): Polarity | "inconsistent" | null;
  /** True when the judge drops the aspect; a drop that names one polarity spares a tuple of another. */
  drops(aspect: string): boolean;
  aspects: string[];
};

function readJudge({ final_tuples, final_patch }: PatchSummary): JudgeWords {
  const edits = final_patch.map((patch) => ({ aspect: patch.target.aspect_ref, op: patch.op, ...readVote(patch) }));
  const wordsFor = (aspect: string): Polarity[] => {
    const said = final_tuples.filter((tuple) => tuple.aspect_ref === aspect).map((tuple) => tuple.polarity);
    const patched = edits.filter((edit) => edit.aspect === aspect && edit.op !== "merge_tuples");
    return [...new Set(said.length > 0 ? said : patched.flatMap(({ polarity }) => polarity ?? []))];
  };
  const told = edits.filter(({ polarity, removal, op }) => removal || (polarity !== null && op !== "merge_tuples"));
  return {
    aspects: [...new Set([...final_tuples.map((tuple) => tuple.aspect_ref), ...told.map(({ aspect }) => aspect)])],
    word: (aspect) => {
      const words = wordsFor(aspect);
      return words.length > 1 ? "inconsistent" : (words[0] ?? null);
    },
    drops: (aspect) => {
      const words = wordsFor(aspect);
      const drops = edits.filter((edit) => edit.removal && edit.aspect === aspect);
      return drops.some(({ removes }) => words.length === 0 || removes === null || words.includes(removes));
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

/**
 * The one tuple of the judge that may stand where Stage 1 found nothing: what most speakers back, then what agrees with the
 * judge's word on the text; in a text of two minds what comes last, because the end of a contrast concludes.
 */
function chooseOnly(
  text: string,
  { sentence_polarity: sentence }: PatchSummary,
  judge: JudgeWords,
  given: { base: readonly Sentiment[]; evaluates(sentiment: Stated): boolean; voices: Voices },
): { aspect: string; polarity: Polarity } | null {
  const open = judge.aspects.flatMap((aspect) => {
    const polarity = judge.word(aspect);
    if (polarity === null || polarity === "inconsistent" || judge.drops(aspect)) return [];
    const isNew = keepStated(given.base, aspect).length === 0;
    return isNew && given.evaluates(toSentiment(aspect, polarity)) ? [{ aspect, polarity }] : [];
  });
  const ordered =
    sentence === "mixed"
      ? sortByPlace(text, open, ({ aspect }) => aspect).toReversed()
      : open.toSorted((a, b) => Number(b.polarity === sentence) - Number(a.polarity === sentence));
  const backers = ({ aspect, polarity }: { aspect: string; polarity: Polarity }) =>
    given.voices.count(aspect, polarity);
  return ordered.toSorted((a, b) => backers(b) - backers(a))[0] ?? null;
}

function toSentiment(aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, { evidence: "", confidence: 0 });
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

type SettleInput = {
  judge: JudgeWords;
  /** The Stage 1 list after the moves, the same with the corrections that resolved a risk, and the reviewed list. */
  stage1: readonly Sentiment[];
  base: readonly Sentiment[];
  list: readonly Sentiment[];
  gate: GateOutcome | null;
  voices: Voices;
  /** Says why an addition is accepted; null when it is not. */
  addition(aspect: string, polarity: Polarity): string | null;
  /** The most that a changed tuple may be sure. */
  cap: number;
  evidence(aspect: string): { evidence: string; confidence: number };
};

type Settled = { kept: Stated[]; settlement: Settlement };

/** What the rules accept of the judge's word on an aspect, with the reason. */
function settleAspect(aspect: string, input: SettleInput): Settled {
  const { judge, base, list } = input;
  const word = judge.word(aspect);
  const before = keepStated(input.stage1, aspect);
  const stage1 = findMostConfident(before)?.polarity ?? null;
  const own = keepStated(base, aspect);
  const corrected = stage1 !== null && listPolarities(base, [aspect]).join() !== stage1;
  const end = (kept: Stated[], reason: string): Settled => ({
    kept,
    settlement: { aspect, judge: word, stage1, settled: kept[0]?.polarity ?? null, reason },
  });
  if (stage1 !== null && own.length === 0) return end([], "dropped_by_review");
  if (judge.drops(aspect)) {
    /** A drop needs a second voice beside the judge: a speaker's, or a review's. */
    const byReview = before.length > 0 && keepStated(list, aspect).length === 0;
    const isBacked = own.length === 0 || byReview || input.voices.countRemovals(aspect) > 0;
    return isBacked ? end([], "dropped_by_judge") : end(own, "kept_drop_unsupported");
  }
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

/** A flip needs the gate or a review behind it; otherwise what was there stands, with the gate's reason. */
function settleFlip(
  aspect: string,
  word: Polarity,
  own: Stated[],
  { gate, list, cap }: SettleInput,
  end: (kept: Stated[], reason: string) => Settled,
): Settled {
  const best = findMostConfident(own);
  const flip = (reason: string) =>
    end(
      best
        ? [{ ...best, polarity: word, confidence: Math.min(best.confidence, cap), polarity_distribution: null }]
        : [],
      reason,
    );
  if (gate?.applied?.aspect === aspect && gate.applied.polarity === word) return flip("flipped_by_gate");
  if (listPolarities(list, [aspect]).join() === word) return flip("flipped_by_review");
  const skipped = gate?.records.find((one) => one.aspect === aspect)?.skip_reason ?? "low_signal";
  return end(own, `kept_${gate === null ? "override_disabled" : skipped}`);
}
