import { readFileSync } from "node:fs";
import * as z from "zod";
import { stemEnglish } from "../../text/search.ts";
import { isIndonesianWord, stemTokens } from "../../text/stem-indonesian.ts";

export type Language = "id" | "en";

/** A row of the synonym table; capitals match capitals only, and a word after `~` counts only together with its people. */
const ConceptSchema = z.strictObject({
  id: z.string(),
  role: z.enum(["people", "faith", "who", "object", "norm", "act", "law"]),
  side: z.enum(["national", "adat"]).optional(),
  people: z.string().optional(),
  /** True for everyday words that alone do not place a question in this field. */
  common: z.literal(true).optional(),
  wider: z.array(z.string()).default([]),
  acts: z.array(z.string()).default([]),
  label: z.string(),
  label_en: z.string().optional(),
  words: z.array(z.string()).min(1),
});
export type Concept = z.infer<typeof ConceptSchema>;

/** A concept found in a text, with its range of words (end exclusive); `literal` unless only the stem matches (*putus*, *putusan*). */
export type Mention = { concept: Concept; start: number; end: number; term: string; literal: boolean };

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../data/law/${name}.json`, import.meta.url), "utf8"));
const rows = z.array(ConceptSchema).parse(read("synonyms"));
/** The synonym table, by the ids of its concepts. */
export const synonyms: ReadonlyMap<string, Concept> = new Map(rows.map((concept) => [concept.id, concept]));

export function nameConcept(id: string, language: Language): string {
  const concept = synonyms.get(id);
  if (!concept) return id.replaceAll("_", " ");
  return language === "en" ? (concept.label_en ?? concept.label) : concept.label;
}

export function splitWords(text: string): string[] {
  return [
    ...text
      .normalize("NFKC")
      .replaceAll(/n['’]t\b/giu, " not")
      .matchAll(/[\p{L}\p{N}]+/gu),
  ].map(([word]) => word);
}

const keys = new Map<string, string>();
export function keyOf(word: string): string {
  const lower = word.toLowerCase();
  let key = keys.get(lower);
  if (key === undefined) {
    const [stem = lower] = stemTokens(lower);
    key = stem !== lower || isIndonesianWord(lower) ? stem : stemEnglish(lower);
    keys.set(lower, key);
  }
  return key;
}

const texts = z.array(z.string());
const CuesSchema = z.strictObject({
  function_words: z.record(z.enum(["id", "en"]), texts),
  /** Subjects of a topic's items, besides the acts their text names. */
  topic_acts: z.record(z.string(), texts),
  people_lead: texts,
  people_noun: texts,
  place_lead: texts,
  no_people: texts,
  copulas: texts,
  clash: texts,
  opposed: texts,
  harmony: texts,
  recent: texts,
  of_law: texts,
  says: texts,
  denies: texts,
  unknown: texts,
});

/** Function words: they show how a text is built, not its subject. */
export const cues = CuesSchema.parse(read("cues"));

const joining = {
  id: new Set(cues.function_words.id.flatMap((word) => [word, keyOf(word)])),
  en: new Set(cues.function_words.en.flatMap((word) => [word, keyOf(word)])),
};

export function isFunctionWord(word: string): boolean {
  return (
    word.length < 3 || Object.values(joining).some((words) => words.has(word.toLowerCase()) || words.has(keyOf(word)))
  );
}

export function listKeys(text: string): string[] {
  return splitWords(text)
    .filter((word) => !isFunctionWord(word) && !/^\d+$/.test(word))
    .map(keyOf);
}

export function detectLanguage(text: string): Language {
  const words = splitWords(text.toLowerCase());
  const count = (language: Language): number => words.filter((word) => joining[language].has(word)).length;
  return count("en") > count("id") ? "en" : "id";
}

type Entry = { keys: string[]; capitals: boolean; everyday: boolean; concept: Concept; term: string };
const index = Map.groupBy(
  rows.flatMap((concept) =>
    concept.words.map((word): Entry => {
      const term = word.replace(/^~/, "");
      const capitals = term === term.toUpperCase() && /\p{L}/u.test(term);
      return { keys: splitWords(term).map(keyOf), capitals, everyday: word.startsWith("~"), concept, term };
    }),
  ),
  (entry) => entry.keys[0] ?? "",
);

/** Finds concepts in a text: whole words only, the longest phrase wins, so that *bali* is not in *kembali* (law spec §2.1). */
export function findMentions(text: string): Mention[] {
  const words = splitWords(text);
  const named = matchAll(words, ({ everyday }) => !everyday).flatMap(({ concept }) => concept.people ?? []);
  return matchAll(words, ({ everyday, concept }) => !everyday || named.includes(concept.people ?? ""));
}

function matchAll(words: string[], counts: (entry: Entry) => boolean): Mention[] {
  const found: Mention[] = [];
  for (let at = 0; at < words.length; ) {
    const entries = matchAt(words, at, counts);
    const length = entries[0]?.keys.length ?? 1;
    for (const { concept, term } of entries)
      found.push({ concept, term, start: at, end: at + length, literal: isLiteral(words.slice(at), term) });
    at += length;
  }
  return found;
}

function isLiteral(said: string[], term: string): boolean {
  return splitWords(term.toLowerCase()).every(
    (word, at) => keyOf(word) === word || said[at]?.toLowerCase().includes(word),
  );
}

function matchAt(words: string[], at: number, counts: (entry: Entry) => boolean): Entry[] {
  const candidates = index.get(keyOf(words[at] ?? "")) ?? [];
  const fitting = candidates.filter(counts).filter(({ keys: wanted, capitals }) =>
    wanted.every((key, offset) => {
      const said = words[at + offset];
      return said !== undefined && keyOf(said) === key && (!capitals || said === said.toUpperCase());
    }),
  );
  const longest = Math.max(0, ...fitting.map(({ keys: { length } }) => length));
  return fitting.filter(({ keys: { length } }) => length === longest);
}
