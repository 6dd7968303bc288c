import type { Verdict } from "../../engine/pack.ts";
import { countSpeakers, hasJudge } from "./config.ts";
import { normaliseAnswer } from "./rules/answer.ts";
import { compareFor, groupAnswers } from "./rules/group-answers.ts";
import { findShortfalls } from "./rules/quorum.ts";
import { findStop } from "./rules/stop.ts";
import { measureAgreement, tally } from "./rules/tally.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { Camp, QuestionDecision, Round } from "./schemas/decision.ts";
import { answerTypeOf, type Question } from "./schemas/question.ts";
import type { Judgement, Speech } from "./schemas/reply.ts";

/** What was said, and what the judge said of it. */
export type Said = { question: Question; config: QuestionConfig; rounds: Round[]; judgement: Judgement | null };

/** The text by which an answer is compared: the short one where there is one. */
export function comparableOf({ short_answer, answer }: Pick<Speech, "short_answer" | "answer">): string | null {
  return answer === null ? null : (short_answer ?? answer);
}

/** Makes the record of a round: each speech with the form that its camp shares, and how far they agree. `groups` are those of the answers given, as rules or the `same_answer` role made them. */
export function recordRound(
  question: Question,
  round: number,
  said: { role: string; reply: Speech }[],
  groups: number[][] | null = null,
): Round {
  const answering = said.filter(({ reply }) => reply.answer !== null);
  const texts = answering.map(({ reply }) => comparableOf(reply) ?? "");
  const made = groups ?? groupAnswers(texts, question).groups;
  const canonicalOf = ({ role }: { role: string }): string | null => {
    const place = answering.findIndex((one) => one.role === role);
    const [first] = made.find((group) => group.includes(place)) ?? [];
    return first === undefined ? null : normaliseAnswer(texts[first] ?? "", question);
  };
  const speeches = said.map((one) => ({ ...one.reply, speaker: one.role, canonical: canonicalOf(one) }));
  return { round, agreement: measureAgreement(speeches), speeches };
}

/** Decides by the judge where there is one, else by the vote of the last round; below the quorum nothing is decided (question spec §6). */
export function decide({ question, config, rounds, judgement }: Said): Verdict<QuestionDecision> {
  const last = rounds.at(-1);
  const camps = tally(last?.speeches ?? []);
  const chosen = judgement ?? pickWinner(camps[0], last);
  const canonical = judgement ? placeJudgement(judgement, camps, last, question) : (camps[0]?.canonical ?? null);
  const reasons = findShortfalls(
    { speakers: countSpeakers(config), hasJudge: hasJudge(config) },
    { last, camps, judgement },
  );
  const decision: QuestionDecision = {
    question: question.question,
    answer_type: answerTypeOf(question),
    answer: chosen.answer,
    short_answer: findShortAnswer(canonical, last),
    canonical,
    confidence: chosen.confidence,
    decided_by: chosen.answer === null ? "nobody" : judgement ? "judge" : nameVote(config, last),
    stop_reason: nameStop(config, last),
    votes: camps,
    dissent: camps.filter((camp) => camp.canonical !== canonical),
    vote_after_openings: tally(rounds[0]?.speeches ?? [])[0]?.answer ?? null,
    rounds,
    judgement,
    sources: collectSources(canonical, last),
  };
  return { outcome: reasons.length === 0 ? "decided" : "undecided", reasons, decision };
}

/** The camp that a judge's answer belongs to: that of the winner it names, else the one that says the same; else it stands alone. */
function placeJudgement(
  { answer, winner }: Judgement,
  camps: Camp[],
  last: Round | undefined,
  question: Question,
): string | null {
  if (answer === null) return null;
  const followed = winner === null ? undefined : last?.speeches[winner - 1];
  const isWorded = (text: string): boolean => compareFor(question, text, answer).verdict === "same";
  const own = followed?.canonical ?? camps.find((camp) => isWorded(camp.answer))?.canonical;
  return own ?? normaliseAnswer(answer, question);
}

function pickWinner(camp: Camp | undefined, round: Round | undefined): { answer: string | null; confidence: number } {
  if (!camp || !round) return { answer: null, confidence: 0 };
  return { answer: camp.answer, confidence: camp.confidence / Math.max(1, round.speeches.length) };
}

function nameStop(config: QuestionConfig, last: Round | undefined): QuestionDecision["stop_reason"] {
  return config.protocol === "round-table" ? (findStop(last, config.stop.agreement) ?? "max_rounds") : "fixed";
}

/** Says by what kind of vote an answer stands that no judge gave. */
function nameVote(config: QuestionConfig, last: Round | undefined): QuestionDecision["decided_by"] {
  if (config.protocol === "single") return "single";
  return config.protocol === "round-table" && (last?.agreement ?? 0) >= config.stop.agreement ? "agreement" : "vote";
}

function findShortAnswer(canonical: string | null, round: Round | undefined): string | null {
  const speeches = round?.speeches.filter((speech) => speech.canonical === canonical && canonical !== null) ?? [];
  return speeches.find(({ short_answer }) => short_answer !== null)?.short_answer ?? null;
}

function collectSources(canonical: string | null, round: Round | undefined): QuestionDecision["sources"] {
  const quotes = (round?.speeches ?? [])
    .filter((speech) => speech.canonical === canonical && canonical !== null)
    .flatMap((speech) => speech.quotes);
  return [...new Map(quotes.map((quote) => [`${quote.source}\n${quote.quote}`, quote])).values()];
}
