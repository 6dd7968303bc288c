import type { Verdict } from "../../engine/pack.ts";
import { normaliseAnswer } from "./rules/answer.ts";
import { compareFor } from "./rules/group-answers.ts";
import { findShortfalls } from "./rules/quorum.ts";
import { countSpeakers, hasJudge } from "./rules/speakers.ts";
import { findStop } from "./rules/stop.ts";
import { tally } from "./rules/tally.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { Camp, QuestionDecision, Round } from "./schemas/decision.ts";
import { answerTypeOf, type Question } from "./schemas/question.ts";
import type { Judgement } from "./schemas/reply.ts";
import type { Said } from "./schemas/said.ts";

/** Decides by the judge where there is one, else by the vote of the last round; below the quorum nothing is decided (question spec §6). */
export function decide({ question, config, rounds, judgement, stop, asked }: Said): Verdict<QuestionDecision> {
  const last = rounds.at(-1);
  const camps = tally(last?.speeches ?? []);
  const chosen = judgement ?? pickWinner(camps[0], last);
  const canonical = judgement ? placeJudgement(judgement, camps, last, question) : (camps[0]?.canonical ?? null);
  const reasons = findShortfalls(
    { speakers: asked ?? countSpeakers(config), hasJudge: hasJudge(config) },
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
    stop_reason: stop ?? nameStop(config, last),
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
  const mayAgree = config.protocol === "round-table" || config.protocol === "on-disagreement";
  return mayAgree && (last?.agreement ?? 0) >= config.stop.agreement ? "agreement" : "vote";
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
