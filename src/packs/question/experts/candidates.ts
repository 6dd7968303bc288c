import {
  countNewTerms,
  countSharedTerms,
  findAskedValue,
  findExpectation,
  isExpected,
  listTerms,
  type Relevance,
  type Sentence,
  searchSentences,
} from "../../../knowledge/documents/index.ts";
import { normaliseAnswer } from "../rules/answer.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Speech } from "../schemas/reply.ts";
import { isComputed } from "./computed.ts";

/** An answer with the sentence it rests on, and how well that sentence covers the question. */
export type Candidate = {
  answer: string;
  short: string | null;
  sentence: Sentence;
  coverage: number;
  expected: boolean;
  score: number;
};

/** Sentences, and how a reader weighs them. */
export type Reading = { question: Question; sentences: Sentence[]; relevance: Relevance };

/** What a sentence gains by holding the kind of thing that is asked for. */
const expectedBonus = 0.2;
/** How much of the question a sentence must cover to give a number that stands alone, without the words around it. */
const enoughForNumber = 0.8;
/** How much of a choice's own words a sentence must name before it speaks of that choice. */
const namedEnough = 0.5;

/** Ranks the answers that the sentences offer, best first (question spec §7.1). */
export function rankCandidates(reading: Reading): Candidate[] {
  if (answerTypeOf(reading.question) === "choice") return sortByScore(findChoiceCandidates(reading));
  return preferSpecific(sortByScore(findSentenceCandidates(reading)), reading);
}

function sortByScore(candidates: Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => b.score - a.score);
}

/** How much of the best answer's weight a more particular one must have. */
const comparable = 0.5;

/**
 * A rule for a special case goes before the general one that it follows: where an asked value is told again, later in the
 * section, for something that the question names and the best answer does not, that is the answer, with the same weight.
 */
function preferSpecific(ranked: Candidate[], { question: { question }, sentences }: Reading): Candidate[] {
  const [best, ...others] = ranked;
  if (!best?.expected || findExpectation(question)?.kind !== "value") return ranked;
  const asked = listTerms(question);
  const known = new Set(listTerms(`${best.sentence.said} ${best.sentence.about}`));
  const isParticular = ({ sentence, expected, score }: Candidate): boolean =>
    expected &&
    score >= best.score * comparable &&
    sentence.source === best.sentence.source &&
    sentence.topic === best.sentence.topic &&
    sentences.indexOf(sentence) > sentences.indexOf(best.sentence) &&
    listTerms(sentence.said).some((term) => asked.includes(term) && !known.has(term));
  const particular = others.find(isParticular);
  if (!particular) return ranked;
  return [{ ...particular, score: best.score }, ...ranked.filter((one) => one !== particular)];
}

/** Weighs another's answer through this reader's lens, by the sentence it quotes; null when it quotes none. */
export function weighSpeech(speech: Speech, reading: Reading): Candidate | null {
  const { question, sentences, relevance } = reading;
  const [quote] = speech.quotes;
  const sentence = sentences.find(
    (one) => one.source === quote?.source && one.text.includes(quote.quote.replaceAll(/\s+/g, " ").trim()),
  );
  if (!sentence || speech.answer === null || normaliseAnswer(speech.answer, question) === null) return null;
  const said = { answer: speech.answer, short: speech.short_answer };
  return weigh(said, sentence, question, relevance(sentence, question.question));
}

function findSentenceCandidates(reading: Reading): Candidate[] {
  const { question, sentences, relevance } = reading;
  const isNumber = answerTypeOf(question) === "number";
  const asksValue = isNumber || findExpectation(question.question)?.kind === "value";
  return searchSentences(sentences, question.question, 30).flatMap(({ sentence }) => {
    if (sentence.kind !== "statement" || isComputed(question.question, sentence.said)) return [];
    const found = findAskedValue(sentence.said, question.question);
    if (asksValue && found === null) return [];
    const number = found?.value.kind === "number" ? String(found.value.readings[0]) : null;
    if (isNumber && number === null) return [];
    if (isThin(sentence, question.question) || missesPoint(sentence, question.question)) return [];
    const said = isNumber
      ? { answer: number ?? "", short: number }
      : { answer: sentence.said, short: findShortAnswer(sentence, question, asksValue) };
    const coverage = relevance(sentence, question.question);
    return isNumber && coverage < enoughForNumber ? [] : [weigh(said, sentence, question, coverage)];
  });
}

/** A sentence that holds one of several asked words says too little about the question. */
function isThin(sentence: Sentence, question: string): boolean {
  const asked = new Set(listTerms(question)).size;
  return countSharedTerms(sentence, question) < Math.min(2, asked);
}

/** A sentence that names nobody does not say who, and one that only says the question again does not say why. */
function missesPoint(sentence: Sentence, question: string): boolean {
  const kind = findExpectation(question)?.kind;
  if (kind === "person") return !isExpected(sentence, question);
  return kind === "cause" && !isExpected(sentence, question) && countNewTerms(sentence, question) < 2;
}

/** What of a sentence answers the question by itself: the value asked for, or yes or no where the sentence says so. */
function findShortAnswer({ said: text }: Sentence, { question }: Question, asksValue: boolean): string | null {
  if (asksValue) return findAskedValue(text, question)?.text ?? null;
  const stance = /^(yes|no|ya|tidak|네|예|아니요)\b/iu.exec(text)?.[1];
  return stance === undefined ? null : stance.toLowerCase();
}

/** A choice is as good as the best sentence that speaks of it and of the question. */
function findChoiceCandidates({ question, sentences, relevance }: Reading): Candidate[] {
  return choicesOf(question.choices).flatMap(({ key, text }) =>
    searchSentences(sentences, `${question.question} ${text}`, 15).flatMap(({ sentence }) => {
      const named = relevance(sentence, text);
      if (sentence.kind !== "statement" || named < namedEnough) return [];
      const coverage = 0.6 * relevance(sentence, question.question) + 0.4 * named;
      return [weigh({ answer: key, short: key }, sentence, question, coverage)];
    }),
  );
}

function weigh(
  said: { answer: string; short: string | null },
  sentence: Sentence,
  question: Question,
  coverage: number,
): Candidate {
  const expected = isExpected(sentence, question.question);
  const score = (coverage + (expected ? expectedBonus : 0)) * sentence.trust;
  return { ...said, sentence, coverage, expected, score };
}
