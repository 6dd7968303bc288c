import type { Incident } from "../knowledge/incident.ts";
import { errorKey, wordsOf } from "./normalise.ts";
import type { QueryEntity, QueryError, QueryText } from "./query.ts";

/** A phrase of an incident (a template or an error message) as words with the weight of each. */
type Phrase = { words: string[]; weight: number };

/** How much of a phrase's weight must be found in an observed message for the two to be the same. */
const enough = 0.75;
/** An error type that more than this share of the incidents have (IOException…) needs its message to match as well. */
const genericShare = 0.05;

/** Decides which observed things an incident knows; word weights are inverse document frequencies over the incidents. */
export type Matcher = {
  knowsTemplate(incident: Incident, observed: QueryText): boolean;
  /** Those errors of the incident that the observed one is. */
  knownErrors(incident: Incident, observed: QueryError): Incident["errors"];
  knowsEntity(incident: Incident, observed: QueryEntity): boolean;
};

/** A matcher over these incidents; `hide` is taken out of both sides. */
export function matcherOf(incidents: readonly Incident[], hide: readonly string[] = []): Matcher {
  const idf = wordWeights(incidents, hide);
  const generic = genericTypes(incidents);
  const known = new Map(incidents.map((incident) => [incident, knowledgeOf(incident, idf, hide)]));
  const contains = (phrase: Phrase, observed: ReadonlySet<string>) => contained(phrase, observed, idf) >= enough;
  const sets = new WeakMap<QueryText, ReadonlySet<string>>();
  const setOf = (observed: QueryText) => {
    const set = sets.get(observed) ?? new Set(observed.words);
    sets.set(observed, set);
    return set;
  };
  return {
    knowsTemplate: (incident, observed) =>
      (known.get(incident)?.phrases ?? []).some((phrase) => contains(phrase, setOf(observed))),
    knownErrors: (incident, observed) =>
      (known.get(incident)?.errors ?? [])
        .filter(
          ({ key, phrase }) =>
            (key === observed.type && !generic.has(key)) || (isUsable(phrase) && contains(phrase, setOf(observed))),
        )
        .map(({ error }) => error),
    knowsEntity: (incident, observed) => known.get(incident)?.entities.has(observed.name.toLowerCase()) ?? false,
  };
}

const isUsable = (phrase: Phrase) => phrase.words.length >= 2;

function knowledgeOf(incident: Incident, idf: Map<string, number>, hide: readonly string[]) {
  const phraseOf = (text: string): Phrase => {
    const words = wordsOf(text, hide);
    return { words, weight: words.reduce((sum, word) => sum + (idf.get(word) ?? 0), 0) };
  };
  const errors = incident.errors.map((error) => ({
    error,
    key: errorKey(error.type),
    phrase: phraseOf(error.message),
  }));
  return {
    errors,
    phrases: [...incident.templates.map(phraseOf), ...errors.map(({ phrase }) => phrase)].filter(isUsable),
    entities: new Set(incident.entities.map(({ name }) => name.toLowerCase())),
  };
}

function contained({ words, weight }: Phrase, observed: ReadonlySet<string>, idf: Map<string, number>): number {
  let found = 0;
  for (const word of words) if (observed.has(word)) found += idf.get(word) ?? 0;
  return weight === 0 ? 0 : found / weight;
}

function wordWeights(incidents: readonly Incident[], hide: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { templates, errors } of incidents) {
    const words = new Set(
      [...templates, ...errors.map(({ message }) => message)].flatMap((text) => wordsOf(text, hide)),
    );
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + incidents.length / count)]));
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
