import type { Incident } from "../knowledge/incident.ts";
import { errorKey, wordsOf } from "./normalise.ts";
import type { QueryEntity, QueryError, QueryText } from "./query.ts";

type ErrorOf = Incident["errors"][number];
/** A phrase of an incident (a template or an error message) with the joint weight of its words. */
type Phrase = { incident: Incident; error: ErrorOf | null; words: string[]; weight: number };

/** How much of a phrase's weight must be found in an observed message for the two to be the same. */
const enough = 0.75;
/** An error type that more than this share of the incidents have (IOException…) needs its message to match as well. */
const genericShare = 0.05;

/** Finds the incidents that know an observed thing; word weights are inverse document frequencies over the incidents. */
export type Matcher = {
  knowingTemplate(observed: QueryText): Set<Incident>;
  /** Those errors of each incident that the observed one is. */
  knowingError(observed: QueryError): Map<Incident, ErrorOf[]>;
  knowingEntity(observed: QueryEntity): Set<Incident>;
};

/** A matcher over these incidents; `hide` is taken out of both sides. */
export function matcherOf(incidents: readonly Incident[], hide: readonly string[] = []): Matcher {
  const spoken = incidents.flatMap((incident) => phrasesOf(incident, hide));
  const idf = wordWeights(spoken, incidents.length);
  for (const phrase of spoken) phrase.weight = sum(phrase.words.map((word) => idf.get(word) ?? 0));
  const index = indexOf(spoken, ({ words }) => words);
  const generic = genericTypes(incidents);
  const byType = indexOf(allErrors(incidents), ({ error }) => [errorKey(error.type)]);
  const byName = indexOf(incidents, ({ entities }) => entities.map(({ name }) => name.toLowerCase()));
  const matched = (words: string[]) => containedIn(words, index, idf);
  return {
    knowingTemplate: ({ words }) => new Set(matched(words).map(({ incident }) => incident)),
    knowingError: ({ words, type }) => {
      const typed = generic.has(type) ? [] : (byType.get(type) ?? []);
      const worded = matched(words).flatMap(({ incident, error }) => (error ? [{ incident, error }] : []));
      const found = new Map<Incident, ErrorOf[]>();
      for (const { incident, error } of new Map([...typed, ...worded].map((one) => [one.error, one])).values())
        found.set(incident, [...(found.get(incident) ?? []), error]);
      return found;
    },
    knowingEntity: ({ name }) => new Set(byName.get(name.toLowerCase()) ?? []),
  };
}

/** The phrases whose words, by weight, are nearly all among the observed ones; one word alone is no phrase. */
function containedIn(words: string[], index: Map<string, Phrase[]>, idf: Map<string, number>): Phrase[] {
  const found = new Map<Phrase, number>();
  for (const word of new Set(words))
    for (const phrase of index.get(word) ?? []) found.set(phrase, (found.get(phrase) ?? 0) + (idf.get(word) ?? 0));
  return [...found].filter(([phrase, weight]) => weight >= enough * phrase.weight).map(([phrase]) => phrase);
}

function phrasesOf(incident: Incident, hide: readonly string[]): Phrase[] {
  const phraseOf = (text: string, error: ErrorOf | null): Phrase => ({
    incident,
    error,
    words: wordsOf(text, hide),
    weight: 0,
  });
  const templates = incident.templates.map((text) => phraseOf(text, null));
  const messages = incident.errors.map((error) => phraseOf(error.message, error));
  return [...templates, ...messages].filter(({ words }) => words.length >= 2);
}

function allErrors(incidents: readonly Incident[]) {
  return incidents.flatMap((incident) => incident.errors.map((error) => ({ incident, error })));
}

function indexOf<T>(items: readonly T[], keysOf: (item: T) => string[]): Map<string, T[]> {
  const index = new Map<string, T[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) {
      const list = index.get(key);
      if (list) list.push(item);
      else index.set(key, [item]);
    }
  return index;
}

function wordWeights(phrases: Phrase[], incidents: number): Map<string, number> {
  const holders = new Map<string, Set<Incident>>();
  for (const { incident, words } of phrases)
    for (const word of words) holders.set(word, (holders.get(word) ?? new Set<Incident>()).add(incident));
  return new Map([...holders].map(([word, held]) => [word, Math.log(1 + incidents / held.size)]));
}

function genericTypes(incidents: readonly Incident[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { errors } of incidents)
    for (const type of new Set(errors.map((error) => errorKey(error.type))))
      counts.set(type, (counts.get(type) ?? 0) + 1);
  const most = Math.max(1, incidents.length * genericShare);
  const always = ["exception", "error", "ioexception", "runtimeexception", "throwable", "warning", "fatal"];
  return new Set([...always, ...[...counts].filter(([, count]) => count > most).map(([type]) => type)]);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
