import { createRelevance } from "../../../knowledge/documents/index.ts";
import type { JudgeInput } from "../roles/role-inputs.ts";
import { materialOf } from "../roles/shared-blocks.ts";
import type { Judgement } from "../schemas/reply.ts";
import { type Candidate, type Reading, weighSpeech } from "./candidates.ts";
import { findInForce } from "./in-force.ts";

/** What an answer is worth that quotes nothing which can be checked, beside its own confidence. */
const unquotedShare = 0.25;
/** How much of a rival's support counts against the winner's. */
const rivalShare = 0.5;

/** An answer of the last round by its number, with what supports it. */
type Weighed = {
  number: number;
  answer: string;
  canonical: string | null;
  support: number;
  candidate: Candidate | null;
};

/**
 * Decides for the answer that is borne best by what it quotes: the judge weighs the quoted sentences itself, however sure
 * the speakers are, and follows the later of contradicting documents (question spec §7.4).
 */
export function judgeByQuotes(input: JudgeInput): Judgement {
  const weighed = weighAnswers(input).toSorted((a, b) => b.support - a.support);
  const [first] = weighed;
  if (!first) return { reasoning: "No speaker gave an answer.", winner: null, answer: null, confidence: 0 };
  const winner = followLater(first, weighed, input.question.question);
  const rival = weighed.find(({ canonical }) => canonical !== winner.canonical);
  const against = rival
    ? `; what is quoted for the next answer weighs ${round(rival.support)}`
    : ", and nobody says otherwise";
  const share = winner.support / Math.max(1e-9, winner.support + rivalShare * (rival?.support ?? 0));
  return {
    reasoning: `What is quoted for "${winner.answer}" weighs ${round(winner.support)}${against}.`,
    winner: winner.number,
    answer: winner.answer,
    confidence: round(Math.min(1, winner.support) * share),
  };
}

function weighAnswers(input: JudgeInput): Weighed[] {
  const { question, history } = input;
  const { sentences } = materialOf(input);
  const reading: Reading = { question, sentences, relevance: createRelevance(sentences, "passage") };
  return (history.at(-1)?.speeches ?? []).flatMap((speech, index) => {
    if (speech.answer === null) return [];
    const candidate = weighSpeech(speech, reading);
    const support = candidate?.score ?? speech.confidence * unquotedShare;
    return [{ number: index + 1, answer: speech.answer, canonical: speech.canonical, support, candidate }];
  });
}

/** The answer that rests on the later of contradicting statements, where the best one rests on the earlier. */
function followLater(best: Weighed, weighed: Weighed[], question: string): Weighed {
  const candidates = weighed.flatMap(({ candidate }) => candidate ?? []);
  if (!best.candidate) return best;
  const { holds, settled } = findInForce(best.candidate, candidates, question);
  return settled === null ? best : (weighed.find(({ candidate }) => candidate === holds) ?? best);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
