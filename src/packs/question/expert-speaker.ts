import { canonicalAnswer, sameAnswer } from "./answer.ts";
import { answerType, choicesOf, type Question } from "./case.ts";
import type { Persona } from "./config.ts";
import { isExpected } from "./expected-answer.ts";
import { tokensOf } from "./numbers-in.ts";
import { type Lens, type Relevance, relevanceOf } from "./relevance.ts";
import type { Speech } from "./reply.ts";
import { type Sentence, search, sentencesOf, terms } from "./retrieval.ts";
import type { SpeakerInput } from "./roles.ts";

export type { Lens } from "./relevance.ts";

type Stance = NonNullable<Persona["stance"]>;
type Candidate = { answer: string; sentence: Sentence; coverage: number; expected: boolean; score: number };

/** How much of the question a sentence must cover before it is an answer. */
const enough = 0.4;
/** What a sentence gains by holding the kind of thing that is asked for. */
const expectedBonus = 0.25;
/** How much better another's evidence must be before it replaces one's own. */
const margin = 0.05;

/** Answers from the documents with a sentence and its source; without documents, or without a sentence that covers the question, it has no answer and says so. */
export function expertSpeech({ question, history, own }: SpeakerInput, lens: Lens, stance?: Stance): Speech {
  if (question.docs.length === 0)
    return silent("No documents were given, and the embedded expert answers only from documents (--docs).");
  const sentences = sentencesOf(question.docs);
  const relevance = relevanceOf(sentences, lens);
  const best = bestCandidate(question, sentences, relevance, stance);
  if (stance === "against" && !best) return silent("The documents hold nothing against the best supported answer.");
  const heard = history.at(-1)?.speeches.map((speech) => candidateOf(speech, question, sentences, relevance)) ?? [];
  const better = stance
    ? undefined
    : heard.filter((one) => one !== null).find((one) => one.score > (best?.score ?? 0) + margin);
  const chosen = better ?? best;
  if (!chosen || chosen.score < enough) return silent(missingText(question, sentences, chosen));
  return speechOf(chosen, lens, own !== null && better !== undefined);
}

function bestCandidate(
  question: Question,
  sentences: Sentence[],
  relevance: Relevance,
  stance: Stance | undefined,
): Candidate | null {
  const type = answerType(question);
  const candidates =
    type === "choice"
      ? choiceCandidates(question, sentences, relevance)
      : sentenceCandidates(question, sentences, relevance);
  const ranked = candidates.toSorted((a, b) => b.score - a.score);
  return (stance === undefined ? ranked : forStance(ranked, question, stance))[0] ?? null;
}

/** An advocate for takes the best answer that does not speak against itself; one against, the best other answer. */
function forStance(ranked: Candidate[], question: Question, stance: Stance): Candidate[] {
  const [first] = ranked.filter((one) => !isAdverse(one.sentence.text));
  const lead = first ?? ranked[0];
  if (stance === "for" || !lead) return lead ? [lead] : [];
  const leading = canonicalAnswer(lead.answer, question);
  const others = ranked.filter(
    (one) =>
      one.score >= enough &&
      !sameAnswer(canonicalAnswer(one.answer, question) ?? "", leading ?? "", answerType(question)),
  );
  return [...others.filter((one) => isAdverse(one.sentence.text)), ...others];
}

function isAdverse(text: string): boolean {
  return /\b(?:not|no|never|nor|against|but|however|although|oppos\w*|reject\w*|fail\w*|risk\w*|danger\w*|too (?:expensive|costly|late|weak)|cannot|can't|won't|isn't|doesn't)\b/i.test(
    text,
  );
}

function sentenceCandidates(question: Question, sentences: Sentence[], relevance: Relevance): Candidate[] {
  return search(sentences, question.question, 20).flatMap(({ sentence }) => {
    const answer = answerType(question) === "number" ? nearestNumber(sentence.text, question.question) : sentence.text;
    if (answer === null) return [];
    return [weigh(answer, sentence, question, relevance(sentence, question.question))];
  });
}

function weigh(answer: string, sentence: Sentence, question: Question, coverage: number): Candidate {
  const expected = isExpected(sentence.text, question.question);
  return { answer, sentence, coverage, expected, score: coverage + (expected ? expectedBonus : 0) };
}

/** A choice is as good as the best sentence that speaks of it and of the question. */
function choiceCandidates(question: Question, sentences: Sentence[], relevance: Relevance): Candidate[] {
  return choicesOf(question.choices).flatMap(({ key, text }) =>
    search(sentences, `${question.question} ${text}`, 10).flatMap(({ sentence }) => {
      const named = relevance(sentence, text);
      if (named < 0.5) return [];
      return [weigh(key, sentence, question, 0.6 * relevance(sentence, question.question) + 0.4 * named)];
    }),
  );
}

/** The number that stands nearest to the asked words and is not itself part of the question. */
function nearestNumber(text: string, question: string): string | null {
  const asked = new Set(terms(question));
  const given = new Set(tokensOf(question).flatMap(({ value }) => (value === null ? [] : [value])));
  const tokens = tokensOf(text);
  const places = tokens.flatMap(({ word }, index) => (terms(word).some((one) => asked.has(one)) ? [index] : []));
  const distance = (index: number): number => Math.min(...places.map((place) => Math.abs(place - index)));
  const numbers = tokens.flatMap(({ value }, index) =>
    value === null || given.has(value) ? [] : [{ value, away: distance(index) }],
  );
  const nearest = numbers.toSorted((a, b) => a.away - b.away)[0];
  return nearest ? String(nearest.value) : null;
}

/** Another's answer, weighed through this reader's lens by the sentence it quotes. */
function candidateOf(
  speech: Speech,
  question: Question,
  sentences: Sentence[],
  relevance: Relevance,
): Candidate | null {
  const [quote] = speech.quotes;
  const sentence = sentences.find(
    (one) => one.source === quote?.source && one.text.includes(quote.quote.replaceAll(/\s+/g, " ").trim()),
  );
  if (!sentence || speech.answer === null || canonicalAnswer(speech.answer, question) === null) return null;
  return weigh(speech.answer, sentence, question, relevance(sentence, question.question));
}

function speechOf({ answer, sentence, coverage, expected, score }: Candidate, lens: Lens, adopted: boolean): Speech {
  const share = Math.round(coverage * 100);
  const how = {
    sentence: "sentence by sentence",
    passage: "with neighbouring sentences",
    proximity: "by how close the asked words stand",
  }[lens];
  const kind = expected ? " and holds the kind of thing it asks for" : "";
  const change = adopted ? " Another answer's evidence covered the question better than mine, so I took it." : "";
  return {
    answer,
    reasoning: `Read ${how}, the sentence in ${sentence.source} covers ${share} % of the question's weighted words${kind}.${change}`,
    confidence: Math.round(Math.min(1, score) * 100) / 100,
    quotes: [{ source: sentence.source, quote: sentence.text }],
  };
}

function missingText(question: Question, sentences: Sentence[], best: Candidate | null): string {
  const known = new Set(sentences.flatMap((sentence) => terms(sentence.text)));
  const missing = [...new Set(terms(question.question))].filter((word) => !known.has(word));
  const nearest = best
    ? ` The nearest sentence is in ${best.sentence.source} and covers ${Math.round(best.score * 100)} % of it.`
    : "";
  return `The documents do not answer this${missing.length > 0 ? `: they never mention ${missing.join(", ")}` : ""}.${nearest}`;
}

function silent(reasoning: string): Speech {
  return { answer: null, reasoning, confidence: 0, quotes: [] };
}
