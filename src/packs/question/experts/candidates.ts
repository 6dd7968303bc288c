import {
  isExpected,
  listTerms,
  readTokens,
  type Relevance,
  type Sentence,
  searchSentences,
} from "../../../knowledge/documents/index.ts";
import { normaliseAnswer } from "../rules/answer.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Speech } from "../schemas/reply.ts";

/** An answer with the sentence it rests on, and how well that sentence covers the question. */
export type Candidate = { answer: string; sentence: Sentence; coverage: number; expected: boolean; score: number };

/** Sentences, and how a reader weighs them. */
export type Reading = { question: Question; sentences: Sentence[]; relevance: Relevance };

/** What a sentence gains by holding the kind of thing that is asked for. */
const expectedBonus = 0.25;
/** How much of a choice's own words a sentence must name before it speaks of that choice. */
const namedEnough = 0.5;

/** Ranks the answers that the sentences offer, best first (question spec §7.1). */
export function rankCandidates(reading: Reading): Candidate[] {
  const candidates =
    answerTypeOf(reading.question) === "choice" ? findChoiceCandidates(reading) : findSentenceCandidates(reading);
  return candidates.toSorted((a, b) => b.score - a.score);
}

/** Weighs another's answer through this reader's lens, by the sentence it quotes; null when it quotes none. */
export function weighSpeech(speech: Speech, { question, sentences, relevance }: Reading): Candidate | null {
  const [quote] = speech.quotes;
  const sentence = sentences.find(
    (one) => one.source === quote?.source && one.text.includes(quote.quote.replaceAll(/\s+/g, " ").trim()),
  );
  if (!sentence || speech.answer === null || normaliseAnswer(speech.answer, question) === null) return null;
  return weigh(speech.answer, sentence, question, relevance(sentence, question.question));
}

function findSentenceCandidates({ question, sentences, relevance }: Reading): Candidate[] {
  const wantsNumber = answerTypeOf(question) === "number";
  return searchSentences(sentences, question.question, 20).flatMap(({ sentence }) => {
    const answer = wantsNumber ? findNearestNumber(sentence.text, question.question) : sentence.text;
    if (answer === null) return [];
    return [weigh(answer, sentence, question, relevance(sentence, question.question))];
  });
}

/** A choice is as good as the best sentence that speaks of it and of the question. */
function findChoiceCandidates({ question, sentences, relevance }: Reading): Candidate[] {
  return choicesOf(question.choices).flatMap(({ key, text }) =>
    searchSentences(sentences, `${question.question} ${text}`, 10).flatMap(({ sentence }) => {
      const named = relevance(sentence, text);
      if (named < namedEnough) return [];
      return [weigh(key, sentence, question, 0.6 * relevance(sentence, question.question) + 0.4 * named)];
    }),
  );
}

function weigh(answer: string, sentence: Sentence, question: Question, coverage: number): Candidate {
  const expected = isExpected(sentence.text, question.question);
  return { answer, sentence, coverage, expected, score: coverage + (expected ? expectedBonus : 0) };
}

/** Finds the number that stands nearest to the asked words and is not itself part of the question. */
function findNearestNumber(text: string, question: string): string | null {
  const asked = new Set(listTerms(question));
  const given = new Set(readTokens(question).flatMap(({ value }) => (value === null ? [] : [value])));
  const tokens = readTokens(text);
  const places = tokens.flatMap(({ word }, index) => (listTerms(word).some((one) => asked.has(one)) ? [index] : []));
  const distance = (index: number): number => Math.min(...places.map((place) => Math.abs(place - index)));
  const numbers = tokens.flatMap(({ value }, index) =>
    value === null || given.has(value) ? [] : [{ value, away: distance(index) }],
  );
  const nearest = numbers.toSorted((a, b) => a.away - b.away)[0];
  return nearest ? String(nearest.value) : null;
}
