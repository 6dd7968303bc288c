/** The rules of a patch debate: moves, gate and settling, in one place because they lean on each other (sentiment spec §6 and §6a). */
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { PatchSummary, PatchTurn } from "../../schemas/debate.ts";
import { type PatchDebate, silentJudge } from "../../schemas/debate-output.ts";
import type { Settlement } from "../../schemas/outcome.ts";
import type { Polarity, Sentiment } from "../../schemas/stage1.ts";
import { type GateOutcome, overrideConfidence } from "../gate/override-gate.ts";
import { isEvaluative } from "../tuples/neutral-policy.ts";
import { pickOwn } from "../tuples/pick-own.ts";
import { createSentiment, keepStated, keepStatedOf, type Stated } from "../tuples/stated.ts";
import { readVote } from "../tuples/votes.ts";
import { type AdditionRule, type Candidate, countAgreeing, createAdditionRule, orderCandidates } from "./additions.ts";
import { type DebatedCase, gateDebate } from "./gate-debate.ts";
import { findConfirmedMoves, findDeniedNames, type Move, moveSentiments, moveVotes } from "./moves.ts";
import { type JudgeWords, readJudge } from "./read-judge.ts";
import { findMeant, type Meant, sayMeant } from "./self-denial.ts";
import { settleSummary } from "./settle-summary.ts";

/** What a patch debate comes to. */
export type PatchOutcome = {
  gate: GateOutcome | null;
  moves: Move[];
  judge: JudgeWords;
  settled: Stated[];
  settlements: Settlement[];
  dropped: string[];
  /** The reviewed list after moves and override. */
  patched: Sentiment[];
};

/** Carries out the confirmed moves, asks the gate, and settles the judge's tuples. */
export function settleDebate(given: DebatedCase<PatchDebate>, reviewedList: readonly Sentiment[]): PatchOutcome {
  const heard = hearDebate(given, reviewedList);
  const { moves, judge, reviewed } = heard;
  const context = moveVotes(given.context, moves);
  const gate = gateDebate({ ...given, context }, reviewed, (aspect, polarity) => isBacked(heard, aspect, polarity));
  const { sentiments: settled, ...rest } = settleSummary({
    text: given.turns.text,
    judge,
    sentiments: heard.stage1,
    addition: heard.addition,
    gate: (aspect) => readGate(gate, aspect),
    reviewed: (aspect) => findOnlyPolarity(reviewed, aspect),
    textBears: (aspect) => heard.meant?.aspect === aspect,
    speakersAsk: (aspect, polarity) => {
      const { flip_speakers: least } = given.config.settle;
      return least !== null && countAgreeing(heard.spoken, moves, { aspect, polarity }) >= least;
    },
    create: (aspect, polarity) => createAddition(given.turns.text, heard, aspect, polarity),
  });
  return { gate, moves, judge, settled, ...rest, patched: gate?.sentiments ?? reviewed };
}

/** What was said, with both lists after the renames and merges that the judge confirms. */
type Heard = {
  summary: PatchSummary;
  /** What the judge meant where it denies itself. */
  meant: Meant | null;
  spoken: PatchTurn[];
  moves: Move[];
  stage1: Sentiment[];
  reviewed: Sentiment[];
  judge: JudgeWords;
  addition: AdditionRule;
};

function hearDebate({ turns, debate, matcher, config }: DebatedCase<PatchDebate>, list: readonly Sentiment[]): Heard {
  const said = debate.summary ?? silentJudge;
  const meant = findMeant(turns, said);
  const summary = sayMeant(said, meant);
  const spoken = debate.rounds.flatMap((round) => round.turns);
  const moves = findConfirmedMoves(summary, spoken, matcher);
  const stage1 = moveSentiments(turns.stage1.aspect_sentiments, moves);
  const language = languageOf(turns.language_code);
  const evaluates = (sentiment: Stated) => isEvaluative(turns.text, sentiment, language);
  const foundNothing = !keepStated(stage1).some(evaluates);
  const judge = readJudge(foundNothing ? nameWholeText(summary, evaluates) : summary);
  const { min_speakers: minSpeakers, max_additions_when_empty: most } = config.settle;
  const candidates = orderCandidates(turns.text, listCandidates(judge, stage1, evaluates), summary.sentence_polarity);
  const whenEmpty = foundNothing ? { candidates, most } : null;
  const denied = findDeniedNames(summary, matcher);
  const { sentence_polarity: sentence } = summary;
  const addition = createAdditionRule({ turns: spoken, moves, minSpeakers, sentence, whenEmpty, denied });
  const reviewed = moveSentiments(list, moves);
  return { summary, meant, spoken, moves, stage1, reviewed, judge, addition };
}

/** A judge that names nothing evaluative but calls the text positive or negative speaks of the text as a whole. */
function nameWholeText(summary: PatchSummary, evaluates: (sentiment: Stated) => boolean): PatchSummary {
  const { sentence_polarity: polarity, final_tuples } = summary;
  const isClear = polarity === "positive" || polarity === "negative";
  if (!isClear || final_tuples.some((tuple) => evaluates(toSentiment(tuple.aspect_ref, tuple.polarity))))
    return summary;
  return { ...summary, final_tuples: [...final_tuples, { aspect_ref: "", aspect_term: "", polarity }] };
}

/** What the judge says of aspects that Stage 1 says nothing of, in the judge's order; what would be shown, where any would. */
function listCandidates(
  judge: JudgeWords,
  stage1: readonly Sentiment[],
  evaluates: (sentiment: Stated) => boolean,
): Candidate[] {
  const open = judge.aspects.flatMap((aspect) => {
    const polarity = judge.word(aspect);
    if (polarity === null || polarity === "inconsistent" || judge.drops(aspect)) return [];
    return keepStatedOf(stage1, aspect).length > 0 ? [] : [{ aspect, polarity }];
  });
  const shown = open.filter(({ aspect, polarity }) => evaluates(toSentiment(aspect, polarity)));
  return shown.length > 0 ? shown : open;
}

function toSentiment(aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, { evidence: "", confidence: 0 });
}

/** True when settling would take up this tuple, so that the gate and the settled tuples agree on additions. */
function isBacked({ judge, stage1, addition }: Heard, aspect: string, polarity: Polarity): boolean {
  if (judge.word(aspect) !== polarity || judge.drops(aspect)) return false;
  return keepStatedOf(stage1, aspect).length > 0 || addition(aspect, polarity) !== null;
}

function readGate(gate: GateOutcome | null, aspect: string): { applied: Polarity | null; skipped: string } {
  const record = gate?.records.find((one) => one.aspect === aspect);
  const applied = gate?.applied?.aspect === aspect ? gate.applied.polarity : null;
  return { applied, skipped: record?.skip_reason ?? (gate === null ? "override_disabled" : "low_signal") };
}

function findOnlyPolarity(list: readonly Sentiment[], aspect: string): Polarity | null {
  const found = [...new Set(keepStatedOf(list, aspect).map((sentiment) => sentiment.polarity))];
  return found.length === 1 ? (found[0] ?? null) : null;
}

function createAddition(text: string, { summary, spoken }: Heard, aspect: string, polarity: Polarity): Stated {
  return createSentiment(aspect, polarity, {
    evidence: findEvidence(text, aspect, summary),
    confidence: meanConfidence(spoken, aspect, polarity) ?? overrideConfidence,
  });
}

/** The evidence of an addition: words given for this aspect, or a sentence span that names it. */
function findEvidence(text: string, aspect: string, summary: PatchSummary): string {
  const own = pickOwn(summary.aspect_evidence, aspect);
  const spans = own === undefined ? summary.sentence_evidence_spans.filter((span) => span.includes(aspect)) : [own];
  return spans.find((span) => text.includes(span)) ?? "";
}

/** The mean confidence of the edits behind a polarity; null when none states one. */
function meanConfidence(turns: readonly PatchTurn[], aspect: string, polarity: Polarity): number | null {
  const values = turns
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === aspect && readVote(edit).polarity === polarity)
    .flatMap((edit) => edit.confidence ?? []);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}
