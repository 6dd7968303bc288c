import type { Incident } from "../schemas/incident.ts";
import { shortenErrorType, extractWords } from "./extract-words.ts";
import type { QueryEntity, QueryError, QueryText } from "./build-query.ts";

type ErrorOf = Incident["errors"][number];
/** A phrase of an incident (a template or an error message) with the joint weight of its words. */
type Phrase = { incident: Incident; error: ErrorOf | null; words: string[]; weight: number };

/** How much of a phrase's weight must be found in an observed message for the two to be the same. */
const enough = 0.75;
/** An error type that more than this share of the incidents have (IOException…) needs its message to match as well. */
const genericShare = 0.05;

/** Finds the incidents that know an observed thing; word weights are inverse document frequencies over the incidents. */
export type Matcher = {
  findByTemplate(observed: QueryText): Set<Incident>;
  /** The errors of each incident that are the observed one. */
  findByError(observed: QueryError): Map<Incident, ErrorOf[]>;
  findByEntity(observed: QueryEntity): Set<Incident>;
};

/** A matcher over these incidents; `hide` is taken out of both sides. */
export function createMatcher(incidents: readonly Incident[], hide: readonly string[] = []): Matcher {
  const spoken = incidents.flatMap((incident) => listPhrases(incident, hide));
  const idf = weighWords(spoken, incidents.length);
  for (const phrase of spoken) phrase.weight = sum(phrase.words.map((word) => idf.get(word) ?? 0));
  const index = buildIndex(spoken, ({ words }) => words);
  const generic = findGenericTypes(incidents);
  const byType = buildIndex(listErrors(incidents), ({ error }) => [shortenErrorType(error.type)]);
  const byName = buildIndex(incidents, ({ entities }) => entities.map(({ name }) => name.toLowerCase()));
  const matched = (words: string[]) => findContained(words, index, idf);
  return {
    findByTemplate: ({ words }) => new Set(matched(words).map(({ incident }) => incident)),
    findByError: ({ words, type }) => {
      const typed = generic.has(type) ? [] : (byType.get(type) ?? []);
      const worded = matched(words).flatMap(({ incident, error }) => (error ? [{ incident, error }] : []));
      const found = new Map<Incident, ErrorOf[]>();
      for (const { incident, error } of new Map([...typed, ...worded].map((one) => [one.error, one])).values())
        found.set(incident, [...(found.get(incident) ?? []), error]);
      return found;
    },
    findByEntity: ({ name }) => new Set(byName.get(name.toLowerCase()) ?? []),
  };
}

/** The phrases whose words, by weight, are nearly all among the observed ones; a single word is not a phrase. */
function findContained(words: string[], index: Map<string, Phrase[]>, idf: Map<string, number>): Phrase[] {
  const found = new Map<Phrase, number>();
  for (const word of new Set(words))
    for (const phrase of index.get(word) ?? []) found.set(phrase, (found.get(phrase) ?? 0) + (idf.get(word) ?? 0));
  return [...found].filter(([phrase, weight]) => weight >= enough * phrase.weight).map(([phrase]) => phrase);
}

function listPhrases(incident: Incident, hide: readonly string[]): Phrase[] {
  const makePhrase = (text: string, error: ErrorOf | null): Phrase => ({
    incident,
    error,
    words: extractWords(text, hide),
    weight: 0,
  });
  const templates = incident.templates.map((text) => makePhrase(text, null));
  const messages = incident.errors.map((error) => makePhrase(error.message, error));
  return [...templates, ...messages].filter(({ words }) => words.length >= 2);
}

function listErrors(incidents: readonly Incident[]) {
  return incidents.flatMap((incident) => incident.errors.map((error) => ({ incident, error })));
}

function buildIndex<T>(items: readonly T[], keysOf: (item: T) => string[]): Map<string, T[]> {
  const index = new Map<string, T[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) {
      const list = index.get(key);
      if (list) list.push(item);
      else index.set(key, [item]);
    }
  return index;
}

function weighWords(phrases: Phrase[], incidents: number): Map<string, number> {
  const holders = new Map<string, Set<Incident>>();
  for (const { incident, words } of phrases)
    for (const word of words) holders.set(word, (holders.get(word) ?? new Set<Incident>()).add(incident));
  return new Map([...holders].map(([word, held]) => [word, Math.log(1 + incidents / held.size)]));
}

function findGenericTypes(incidents: readonly Incident[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { errors } of incidents)
    for (const type of new Set(errors.map((error) => shortenErrorType(error.type))))
      counts.set(type, (counts.get(type) ?? 0) + 1);
  const most = Math.max(1, incidents.length * genericShare);
  return new Set([...ofAnyProgram, ...[...counts].filter(([, count]) => count > most).map(([type]) => type)]);
}

/** Error types that a language has and any program raises: what matters is what they say. */
const ofAnyProgram = new Set(
  "exception error ioexception runtimeexception throwable warning fatal critical keyerror valueerror typeerror attributeerror indexerror runtimeerror assertionerror oserror ioerror timeouterror importerror filenotfounderror nullpointerexception illegalstateexception illegalargumentexception indexoutofboundsexception classcastexception numberformatexception unsupportedoperationexception sqlexception timeoutexception executionexception referenceerror rangeerror syntaxerror panic failingrequests stoppedwork".split(
    " ",
  ),
);

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
