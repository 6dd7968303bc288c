import { type CitedProvision, findCitedProvisions } from "../citations/cited-provisions.ts";
import type { Mention } from "../mentions/concept.ts";
import { findMentions } from "../mentions/mentions.ts";
import { splitWords } from "../mentions/words.ts";
import { readFrame } from "../mentions/frame.ts";

/** A question as the extractors read it: its words, what they name, and what it cites. */
export type Reading = {
  text: string;
  words: string[];
  mentions: Mention[];
  communities: string[];
  cited: CitedProvision[];
};

/** Reads a question once for all extractors. */
export function readQuestion(query: string): Reading {
  const mentions = findMentions(query);
  const named = mentions.filter(({ concept }) => concept.type === "community").map(({ concept }) => concept.id);
  const communities = named.length > 0 ? [...new Set(named)] : readFrame(mentions).communities;
  const text = query.normalize("NFKC").toLowerCase();
  return { text, words: splitWords(text), mentions, communities, cited: findCitedProvisions(query) };
}

/** The mentions of these concepts, in order. */
export function selectMentions({ mentions }: Reading, ...ids: string[]): Mention[] {
  return mentions.filter(({ concept }) => ids.includes(concept.id));
}

export function isNamed(reading: Reading, ...ids: string[]): boolean {
  return selectMentions(reading, ...ids).length > 0;
}

/** True when the phrase pattern occurs in the text. */
export function matchesText({ text }: Reading, pattern: RegExp): boolean {
  return pattern.test(text);
}

const negations = new Set(
  "tidak tanpa belum bukan tak tiada jangan enggan no not without never nor didn don isn hasn".split(" "),
);

/** True when a negation stands in the few words before this one. */
export function isNegated({ words }: Reading, at: number, reach = 3): boolean {
  return words.slice(Math.max(0, at - reach), at).some((word) => negations.has(word));
}

/** The candidate nearest to a place in the text; the one after it wins a tie. */
export function findNearest<T extends { start: number; end: number }>(candidates: T[], at: number): T | undefined {
  const distance = ({ start, end }: T) => (start >= at ? start - at : at - end + 0.5);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}
