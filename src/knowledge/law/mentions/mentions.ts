import { type Concept, getConcept, type Mention, loadConcepts } from "./concept.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";
import { listForms, splitWords } from "./words.ts";

type Entry = { words: string[]; senses: Sense[]; capitals: boolean };
type Sense = { concept: Concept; everyday: boolean };
type Candidate = Mention & { everyday: boolean };

let index: Map<string, Entry[]> | null = null;

/** The concepts that a text names: whole words only, the longest phrase wins (law spec §1.1: *bali* is not in *kembali*). */
export function findMentions(text: string): Mention[] {
  const words = splitWords(text);
  const found: Candidate[] = [];
  for (let at = 0; at < words.length; ) {
    const entry = findLongest(words, at);
    if (entry) found.push(...listCandidates(entry, at), ...findPeopleInside(words, at, entry.words.length));
    at += entry?.words.length ?? 1;
  }
  return placeEveryday(found);
}

/** A people may be named across the end of a longer phrase: "tanah adat Papua" is "tanah adat" and "adat Papua". */
function findPeopleInside(words: string[], from: number, length: number): Candidate[] {
  for (let at = from + 1; at < from + length; at++) {
    const entry = findLongest(words, at);
    if (entry && at + entry.words.length > from + length && isPeople(entry)) return listCandidates(entry, at);
  }
  return [];
}

function isPeople({ senses }: Entry): boolean {
  return senses.every(({ concept }) => concept.type === "community");
}

function listCandidates({ words, senses }: Entry, start: number): Candidate[] {
  return senses.map((sense) => ({ ...sense, start, end: start + words.length, term: words.join(" ") }));
}

/** The ids of the concepts in a text, each once, in order of appearance. */
export function findConceptIds(text: string): string[] {
  return [...new Set(findMentions(text).map(({ concept }) => concept.id))];
}

/** What an everyday word for one community's property is called in another. */
const elsewhere: Record<string, Record<string, string>> = {
  pusako_tinggi: { bali: "druwe_tengah", jawa: "pusaka_jawa" },
};

/**
 * An everyday word ("uncle", "ancestral land") means a community's concept only in that community's company. In
 * another's company it means that one's counterpart or nothing; alone it means property or institutions, not persons or acts.
 */
function placeEveryday(found: Candidate[]): Mention[] {
  const sure = new Set(found.flatMap(({ concept, everyday }) => (everyday ? [] : (concept.community ?? []))));
  return found.flatMap(({ everyday, ...mention }) => {
    const { id, community, type } = mention.concept;
    if (!everyday || community === null || sure.has(community)) return [mention];
    if (sure.size === 0) return type === "person" || type === "act" ? [] : [mention];
    const counterpart = [...sure].flatMap((name) => elsewhere[id]?.[name] ?? []);
    return counterpart.map((local) => ({ ...mention, concept: getConcept(local) }));
  });
}

function findLongest(words: string[], at: number): Entry | undefined {
  index ??= buildIndex();
  const word = words[at] ?? "";
  const candidates = listForms(word).flatMap((form) => index?.get(form) ?? []);
  const longest = candidates
    .filter((entry) => entry.words.every((expected, offset) => matches(words[at + offset], expected, entry.capitals)))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
  return longest ?? findByStem(word);
}

/** A single-word term of the same stem, for inflections that no list holds (penggadaian → gadai); never a community's name. */
function findByStem(word: string): Entry | undefined {
  const [stem = ""] = stemTokens(word);
  if (stem.length < 4 || stem === word.toLowerCase()) return undefined;
  return index
    ?.get(stem)
    ?.find(
      ({ words, capitals, senses }) =>
        words.length === 1 && !capitals && senses.every(({ concept }) => concept.type === "act"),
    );
}

function matches(word: string | undefined, expected: string, capitals: boolean): boolean {
  if (word === undefined) return false;
  if (capitals) return word.toLowerCase() === expected && word === word.toUpperCase();
  return listForms(word).includes(expected);
}

function buildIndex(): Map<string, Entry[]> {
  const byPhrase = new Map<string, Entry>();
  for (const concept of loadConcepts()) {
    for (const term of [...concept.terms, ...concept.terms_en]) {
      const words = splitWords(term.toLowerCase());
      const capitals = term === term.toUpperCase() && /\p{L}/u.test(term);
      const key = `${words.join(" ")}|${capitals}`;
      const entry = byPhrase.get(key) ?? { words, senses: [], capitals };
      if (!entry.senses.some((sense) => sense.concept === concept))
        entry.senses.push({ concept, everyday: term.startsWith("~") });
      byPhrase.set(key, entry);
    }
  }
  return Map.groupBy(byPhrase.values(), ({ words }) => words[0] ?? "");
}
