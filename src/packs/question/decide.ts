import type { Verdict } from "../../engine/pack.ts";
import { canonicalAnswer } from "./answer.ts";
import { answerType, type Question } from "./case.ts";
import { hasJudge, type QuestionConfig, speakersOf } from "./config.ts";
import type { QuestionDecision, Round } from "./decision.ts";
import type { Judgement, Speech } from "./reply.ts";
import { type Camp, tally } from "./tally.ts";

/** What was said, and what the judge said of it. */
export type Said = { question: Question; config: QuestionConfig; rounds: Round[]; judgement: Judgement | null };

/** Adds to each speech the form in which answers are compared. */
export function voicesOf(question: Question, said: { speaker: string; speech: Speech }[]): Round["speeches"] {
  return said.map(({ speaker, speech }) => ({
    ...speech,
    speaker,
    canonical: speech.answer === null ? null : canonicalAnswer(speech.answer, question),
  }));
}

/** Decides by the judge where there is one, else by the vote of the last round; below the quorum nothing is decided. */
export function decide({ question, config, rounds, judgement }: Said): Verdict<QuestionDecision> {
  const camps = campsOf(question, rounds.at(-1));
  const reasons = shortfalls({ question, config, rounds, judgement }, camps);
  const [first] = camps;
  const chosen = judgement
    ? { answer: judgement.answer, confidence: judgement.confidence }
    : winnerOf(first, rounds.at(-1));
  const canonical = chosen.answer === null ? null : canonicalAnswer(chosen.answer, question);
  const decision: QuestionDecision = {
    question: question.question,
    answer_type: answerType(question),
    answer: chosen.answer,
    canonical,
    confidence: chosen.confidence,
    decided_by: deciderOf(config, rounds, judgement, chosen.answer),
    stop_reason: stopReason(config, rounds),
    votes: camps,
    dissent: camps.filter((camp) => camp.canonical !== canonical),
    vote_after_openings: campsOf(question, rounds[0])[0]?.answer ?? null,
    rounds,
    judgement,
    sources: sourcesOf(canonical, rounds.at(-1)),
  };
  return { outcome: reasons.length === 0 ? "decided" : "undecided", reasons, decision };
}

function campsOf(question: Question, round: Round | undefined): Camp[] {
  const voices = (round?.speeches ?? []).map((speech) => ({ ...speech, answer: speech.answer ?? "" }));
  return tally(voices, answerType(question));
}

/**
 * The quorum: a majority of the speakers with an answer. Where a judge has the last word, a speaker that has nothing to
 * say for its side was still heard; then a majority must be heard, one of them with an answer, and the judge too.
 */
function shortfalls({ config, rounds, judgement }: Said, camps: Camp[]): string[] {
  const speakers = config.protocol === "self-consistency" ? config.samples : speakersOf(config).length;
  const answering = camps.reduce((sum, camp) => sum + camp.speakers.length, 0);
  const silent = [
    ...new Set(
      (rounds.at(-1)?.speeches ?? []).filter((speech) => speech.answer === null).map((speech) => speech.reasoning),
    ),
  ];
  const heard = hasJudge(config) && answering > 0 ? (rounds.at(-1)?.speeches.length ?? 0) : answering;
  return [
    ...(heard * 2 <= speakers ? [`only ${answering} of ${speakers} speakers gave an answer`, ...silent] : []),
    ...(hasJudge(config) && judgement === null ? ["the judge gave no valid reply"] : []),
    ...(judgement?.answer === null ? [`the judge found no answer: ${judgement.reasoning}`] : []),
  ];
}

function winnerOf(camp: Camp | undefined, round: Round | undefined): { answer: string | null; confidence: number } {
  if (!camp || !round) return { answer: null, confidence: 0 };
  const mean = camp.confidence / camp.speakers.length;
  return { answer: camp.answer, confidence: (mean * camp.speakers.length) / Math.max(1, round.speeches.length) };
}

function deciderOf(
  config: QuestionConfig,
  rounds: Round[],
  judgement: Judgement | null,
  answer: string | null,
): QuestionDecision["decided_by"] {
  if (answer === null) return "nobody";
  if (judgement) return "judge";
  if (config.protocol === "single") return "single";
  return config.protocol === "round-table" && (rounds.at(-1)?.agreement ?? 0) >= config.stop.agreement
    ? "agreement"
    : "vote";
}

function stopReason(config: QuestionConfig, rounds: Round[]): QuestionDecision["stop_reason"] {
  if (config.protocol !== "round-table") return "fixed";
  if (rounds.at(-1)?.speeches.every((speech) => speech.answer === null)) return "silence";
  return (rounds.at(-1)?.agreement ?? 0) >= config.stop.agreement ? "agreement" : "max_rounds";
}

function sourcesOf(canonical: string | null, round: Round | undefined): QuestionDecision["sources"] {
  const quotes = (round?.speeches ?? [])
    .filter((speech) => speech.canonical === canonical && canonical !== null)
    .flatMap((speech) => speech.quotes);
  return [...new Map(quotes.map((quote) => [`${quote.source}\n${quote.quote}`, quote])).values()];
}
