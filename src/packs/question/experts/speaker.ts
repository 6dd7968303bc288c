import { createRelevance, type Lens, lenses, listTerms, splitSentences } from "../../../knowledge/documents/index.ts";
import type { Part, SpeakerInput } from "../roles/role-inputs.ts";
import { compareFor } from "../rules/group-answers.ts";
import type { Question } from "../schemas/question.ts";
import type { Speech } from "../schemas/reply.ts";
import { type Candidate, rankCandidates, type Reading, weighSpeech } from "./candidates.ts";

/** How much of the question a sentence must cover before it is an answer. */
const enough = 0.4;
/** How much better another's evidence must be before it replaces one's own. */
const margin = 0.05;

/** Answers from the documents with a sentence and its source; without documents, or without a sentence that covers the question, it has no answer and says so (question spec §7). */
export function speakFromDocuments({ question, history, own }: SpeakerInput, { place, stance }: Part): Speech {
  if (question.docs.length === 0)
    return keepSilent("No documents were given, and the embedded expert answers only from documents (--docs).");
  const sentences = splitSentences(question.docs);
  const lens = lenses[place % lenses.length] ?? "sentence";
  const reading: Reading = { question, sentences, relevance: createRelevance(sentences, lens) };
  const best = pickForStance(rankCandidates(reading), question, stance);
  if (stance === "against" && !best) return keepSilent("The documents hold nothing against the best supported answer.");
  const better = stance ? undefined : findBetter(history.at(-1)?.speeches ?? [], reading, best);
  const chosen = better ?? best;
  if (!chosen || chosen.score < enough) return keepSilent(explainSilence(reading, chosen));
  return composeSpeech(chosen, lens, own !== null && better !== undefined);
}

/** Finds another's answer with clearly better evidence than one's own best. */
function findBetter(speeches: Speech[], reading: Reading, best: Candidate | null): Candidate | undefined {
  return speeches
    .map((speech) => weighSpeech(speech, reading))
    .filter((one) => one !== null)
    .find((one) => one.score > (best?.score ?? 0) + margin);
}

/** Without a side, the best answer; an advocate for takes the best that does not speak against itself; one against, the best other answer (question spec §7.2). */
function pickForStance(ranked: Candidate[], question: Question, stance: Part["stance"]): Candidate | null {
  const lead = stance === undefined ? ranked[0] : (ranked.find((one) => !isAdverse(one.sentence.text)) ?? ranked[0]);
  if (stance !== "against" || !lead) return lead ?? null;
  const others = ranked.filter(
    (one) => one.score >= enough && compareFor(question, one.answer, lead.answer).verdict !== "same",
  );
  return others.find((one) => isAdverse(one.sentence.text)) ?? others[0] ?? null;
}

function isAdverse(text: string): boolean {
  return /\b(?:not|no|never|nor|against|but|however|although|oppos\w*|reject\w*|fail\w*|risk\w*|danger\w*|too (?:expensive|costly|late|weak)|cannot|can't|won't|isn't|doesn't)\b/i.test(
    text,
  );
}

function composeSpeech(
  { answer, sentence, coverage, expected, score }: Candidate,
  lens: Lens,
  adopted: boolean,
): Speech {
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
    short_answer: null,
    confidence: Math.round(Math.min(1, score) * 100) / 100,
    quotes: [{ source: sentence.source, quote: sentence.text }],
  };
}

function explainSilence({ question, sentences }: Reading, best: Candidate | null): string {
  const known = new Set(sentences.flatMap((sentence) => listTerms(sentence.text)));
  const missing = [...new Set(listTerms(question.question))].filter((word) => !known.has(word));
  const nearest = best
    ? ` The nearest sentence is in ${best.sentence.source} and covers ${Math.round(best.score * 100)} % of it.`
    : "";
  return `The documents do not answer this${missing.length > 0 ? `: they never mention ${missing.join(", ")}` : ""}.${nearest}`;
}

function keepSilent(reasoning: string): Speech {
  return { reasoning, quotes: [], answer: null, short_answer: null, confidence: 0 };
}
