import type { Verdict } from "../../engine/pack.ts";
import { hasJudge, listSpeakers } from "./config.ts";
import { normaliseAnswer } from "./rules/answer.ts";
import { findShortfalls } from "./rules/quorum.ts";
import { findStop } from "./rules/stop.ts";
import { measureAgreement, tally } from "./rules/tally.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { Camp, QuestionDecision, Round } from "./schemas/decision.ts";
import { answerTypeOf, type Question } from "./schemas/question.ts";
import type { Judgement, Speech } from "./schemas/reply.ts";

/** What was said, and what the judge said of it. */
export type Said = { question: Question; config: QuestionConfig; rounds: Round[]; judgement: Judgement | null };

/** Makes the record of a round: each speech with the form in which answers are compared, and how far they agree. */
export function recordRound(question: Question, round: number, said: { role: string; reply: Speech }[]): Round {
  const speeches = said.map(({ role, reply }) => ({
    ...reply,
    speaker: role,
    canonical: normalise(reply.answer, question),
  }));
  return { round, agreement: measureAgreement(speeches, answerTypeOf(question)), speeches };
}

/** Decides by the judge where there is one, else by the vote of the last round; below the quorum nothing is decided (question spec §6). */
export function decide({ question, config, rounds, judgement }: Said): Verdict<QuestionDecision> {
  const last = rounds.at(-1);
  const camps = formCamps(question, last);
  const chosen = judgement ?? pickWinner(camps[0], last);
  const canonical = normalise(chosen.answer, question);
  const reasons = findShortfalls(attendanceOf(config), { last, camps, judgement });
  const decision: QuestionDecision = {
    question: question.question,
    answer_type: answerTypeOf(question),
    answer: chosen.answer,
    canonical,
    confidence: chosen.confidence,
    decided_by: chosen.answer === null ? "nobody" : judgement ? "judge" : nameVote(config, last),
    stop_reason: config.protocol === "round-table" ? (findStop(last, config.stop.agreement) ?? "max_rounds") : "fixed",
    votes: camps,
    dissent: camps.filter((camp) => camp.canonical !== canonical),
    vote_after_openings: formCamps(question, rounds[0])[0]?.answer ?? null,
    rounds,
    judgement,
    sources: collectSources(canonical, last),
  };
  return { outcome: reasons.length === 0 ? "decided" : "undecided", reasons, decision };
}

function normalise(answer: string | null, question: Question): string | null {
  return answer === null ? null : normaliseAnswer(answer, question);
}

function formCamps(question: Question, round: Round | undefined): Camp[] {
  return tally(round?.speeches ?? [], answerTypeOf(question));
}

function attendanceOf(config: QuestionConfig): { speakers: number; hasJudge: boolean } {
  const speakers = config.protocol === "self_consistency" ? config.samples : listSpeakers(config).length;
  return { speakers, hasJudge: hasJudge(config) };
}

function pickWinner(camp: Camp | undefined, round: Round | undefined): { answer: string | null; confidence: number } {
  if (!camp || !round) return { answer: null, confidence: 0 };
  const mean = camp.confidence / camp.speakers.length;
  return { answer: camp.answer, confidence: (mean * camp.speakers.length) / Math.max(1, round.speeches.length) };
}

/** Says by what kind of vote an answer stands that no judge gave. */
function nameVote(config: QuestionConfig, last: Round | undefined): QuestionDecision["decided_by"] {
  if (config.protocol === "single") return "single";
  return config.protocol === "round-table" && (last?.agreement ?? 0) >= config.stop.agreement ? "agreement" : "vote";
}

function collectSources(canonical: string | null, round: Round | undefined): QuestionDecision["sources"] {
  const quotes = (round?.speeches ?? [])
    .filter((speech) => speech.canonical === canonical && canonical !== null)
    .flatMap((speech) => speech.quotes);
  return [...new Map(quotes.map((quote) => [`${quote.source}\n${quote.quote}`, quote])).values()];
}
