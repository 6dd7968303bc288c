import {
  createRelevance,
  formatDate,
  type Lens,
  lenses,
  listTerms,
  readValues,
} from "../../../knowledge/documents/index.ts";
import type { Part, SpeakerInput } from "../roles/role-inputs.ts";
import { materialOf } from "../roles/shared-blocks.ts";
import { compareFor } from "../rules/group-answers.ts";
import type { Question } from "../schemas/question.ts";
import type { Speech } from "../schemas/reply.ts";
import { type Candidate, rankCandidates, type Reading, weighSpeech } from "./candidates.ts";
import { findInForce, type InForce } from "./in-force.ts";

/** How much of the question a sentence must cover before it is an answer. */
const enough = 0.55;
/** A sentence that covers every word of a question may still mean something else. */
const mostCertain = 0.95;
/** How much better another's evidence must be before it replaces one's own. */
const margin = 0.05;
/** What remains of the confidence when another document contradicts, and dates or provenance settle it; and when nothing does. */
const settledShare = 0.9;
const openShare = 0.5;

/** Answers from the documents with a sentence and its source; without documents, or without a sentence that covers the question, it has no answer and says so (question spec §7). */
export function speakFromDocuments(input: SpeakerInput, { place, stance }: Part): Speech {
  const { question, history, own } = input;
  if (question.docs.length === 0)
    return keepSilent("No documents were given, and the embedded expert answers only from documents (--docs).");
  const { sentences } = materialOf(input);
  const lens = lenses[place % lenses.length] ?? "sentence";
  const reading: Reading = { question, sentences, relevance: createRelevance(sentences, lens) };
  if (findUnknownNames(reading).length > 0) return keepSilent(explainSilence(reading, null));
  const ranked = rankCandidates(reading);
  const best = pickForStance(ranked, question, stance);
  if (stance === "against" && !best) return keepSilent("The documents hold nothing against the best supported answer.");
  const better = stance ? undefined : findBetter(history.at(-1)?.speeches ?? [], reading, best);
  const chosen = better ?? best;
  if (!chosen || chosen.score < enough) return keepSilent(explainSilence(reading, chosen));
  const force = stance
    ? { holds: chosen, against: null, settled: null }
    : findInForce(chosen, ranked, question.question);
  if (force.holds.score < enough * openShare) return keepSilent(explainSilence(reading, force.holds));
  const unmentioned = listUnmentioned(reading);
  return composeSpeech(force, { lens, isAdopted: own !== null && better !== undefined, unmentioned });
}

/** Finds another's answer with clearly better evidence than one's own best. */
function findBetter(speeches: Speech[], reading: Reading, best: Candidate | null): Candidate | undefined {
  return speeches
    .map((speech) => weighSpeech(speech, reading))
    .filter((one) => one !== null)
    .find((one) => one.score > (best?.score ?? 0) + margin);
}

/** Without a side, the best answer; an advocate for takes the best that does not speak against itself; one against, the best other answer (question spec §7.3). */
function pickForStance(ranked: Candidate[], question: Question, stance: Part["stance"]): Candidate | null {
  const lead = stance === undefined ? ranked[0] : (ranked.find((one) => !isAdverse(one.sentence.said)) ?? ranked[0]);
  if (stance !== "against" || !lead) return lead ?? null;
  const others = ranked.filter(
    (one) => one.score >= enough * openShare && compareFor(question, one.answer, lead.answer).verdict !== "same",
  );
  return others.find((one) => isAdverse(one.sentence.said)) ?? others[0] ?? null;
}

function isAdverse(text: string): boolean {
  return /\b(?:not|no|never|nor|against|but|however|although|oppos\w*|reject\w*|fail\w*|risk\w*|danger\w*|too (?:expensive|costly|late|weak)|cannot|can't|won't|isn't|doesn't)\b/i.test(
    text,
  );
}

/** How an answer was found: the lens, whether it was another's, and the asked words that no document has. */
type Finding = { lens: Lens; isAdopted: boolean; unmentioned: string[] };

function composeSpeech({ holds, against, settled }: InForce, { lens, isAdopted, unmentioned }: Finding): Speech {
  const { answer, short, sentence, coverage, expected, score } = holds;
  const how = {
    sentence: "sentence by sentence",
    passage: "with neighbouring sentences",
    proximity: "by how close the asked words stand",
  }[lens];
  const kind = expected ? " and holds the kind of thing it asks for" : "";
  const missing =
    unmentioned.length > 0 ? ` The documents never mention ${unmentioned.map((word) => `“${word}”`).join(", ")}.` : "";
  const change = isAdopted ? " Another answer's evidence covered the question better than mine, so I took it." : "";
  const share = against === null ? 1 : settled === null ? openShare : settledShare;
  const quotes = [holds, ...(against ? [against] : [])].map((one) => ({
    source: one.sentence.source,
    quote: one.sentence.text,
  }));
  return {
    reasoning: `Read ${how}, the sentence in ${sentence.source} covers ${Math.round(coverage * 100)} % of the question's weighted words${kind}.${missing}${explainConflict(holds, against, settled)}${change}`,
    quotes,
    answer,
    short_answer: short,
    // What no document speaks of makes an answer no surer than it covers the question.
    confidence: Math.round(Math.min(mostCertain, unmentioned.length > 0 ? coverage : 1, score) * share * 100) / 100,
  };
}

function explainConflict(holds: Candidate, against: Candidate | null, settled: InForce["settled"]): string {
  if (against === null) return "";
  const other = `${against.sentence.source} says otherwise`;
  if (settled === "date")
    return ` ${other}; ${holds.sentence.source} is of ${formatDate(holds.sentence.date ?? 0)} and holds for the time asked about.`;
  if (settled === "provenance") return ` ${other}, but nobody answers for it.`;
  return ` ${other}, and neither date nor provenance tells which of them holds.`;
}

/** The names in a question that no document mentions: what is said of others is no answer about them. */
function findUnknownNames({ question, sentences }: Reading): string[] {
  const names = [...question.question.matchAll(/(?<=[\p{Ll}\p{N},]\s)\p{Lu}\p{Ll}[\p{L}]+/gu)].map(([name]) => name);
  if (names.length === 0) return [];
  const known = listKnownTerms(sentences);
  const isKnown = (name: string): boolean => listTerms(name).every((term) => known.has(term));
  return names.filter((name) => !isKnown(name) && readValues(name).values.length === 0);
}

function listKnownTerms(sentences: Reading["sentences"]): Set<string> {
  return new Set(sentences.flatMap(({ said, topic }) => listTerms(`${said} ${topic}`)));
}

/** The words of a question, as they stand in it, that no document has in any form. */
function listUnmentioned({ question, sentences }: Reading): string[] {
  const known = listKnownTerms(sentences);
  return [...new Set(question.question.match(/[\p{L}\p{M}]+/gu))].filter((word) =>
    listTerms(word).some((term) => !known.has(term)),
  );
}

function explainSilence(reading: Reading, best: Candidate | null): string {
  const missing = listUnmentioned(reading).map((word) => word.toLowerCase());
  const distrusted =
    best && best.sentence.trust < 0.6 ? ` Only ${best.sentence.source} speaks of it, and it cannot be relied on.` : "";
  const nearest = best
    ? ` The nearest sentence is in ${best.sentence.source} and covers ${Math.round(best.score * 100)} % of it.`
    : "";
  return `The documents do not answer this${missing.length > 0 ? `: they never mention ${missing.join(", ")}` : ""}.${distrusted || nearest}`;
}

function keepSilent(reasoning: string): Speech {
  return { reasoning, quotes: [], answer: null, short_answer: null, confidence: 0 };
}
