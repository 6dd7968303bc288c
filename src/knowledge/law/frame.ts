import { isIndonesianWord } from "../../text/stem-indonesian.ts";
import {
  cues,
  detectLanguage,
  findMentions,
  isFunctionWord,
  keyOf,
  type Language,
  synonyms,
  type Mention,
  splitWords,
} from "./words.ts";

/** The subject of a text: an item that shares a noun with the question but not the act does not answer it (law spec §2.2). */
export type Frame = {
  mentions: Mention[];
  concepts: Set<string>;
  acts: Set<string>;
  peoples: string[];
  uncovered: string[];
};

export function readFrame(text: string): Frame {
  const mentions = findMentions(text);
  const concepts = new Set(mentions.flatMap(({ concept: { id, wider } }) => [id, ...wider]));
  const own = [...concepts].flatMap((id) => synonyms.get(id) ?? []);
  const peoples = mentions.flatMap(({ concept }) => concept.people ?? []);
  return {
    mentions,
    concepts,
    acts: new Set(own.flatMap(({ acts }) => acts)),
    peoples: [...new Set(peoples)],
    uncovered: findUncovered(text, mentions),
  };
}

/** The asking sentences of a text if they name a subject, otherwise all of it. */
export function readAsked(text: string): string {
  const asked = text
    .split(/(?<=[.!?])\s+/u)
    .filter((one) => one.trim().endsWith("?"))
    .join(" ");
  const isTelling = findMentions(asked).some(
    ({ concept: { role, common } }) => role !== "people" && role !== "law" && !common,
  );
  return isTelling ? asked : text;
}

const listed = (words: string[], word: string): boolean => words.includes(word.toLowerCase());

/** Names in the place of a people's name that the knowledge base does not have (law spec §2.3). */
function findUncovered(text: string, mentions: Mention[]): string[] {
  const plain = text.normalize("NFKC");
  const words = [...plain.matchAll(/[\p{L}\p{N}]+/gu)];
  const isMentioned = (at: number): boolean =>
    mentions.some(({ start, end, concept }) => start <= at && at < end && concept.id !== "adat");
  const language = detectLanguage(text);
  const isOpen =
    mentions.some(({ concept }) => concept.id === "adat") && !mentions.some(({ concept }) => concept.role === "people");
  const names = words.flatMap(({ 0: word, index }, at) => {
    // "the custom of the Asmat" names them as "adat Asmat" does.
    const [, lead = "", of] = /(\p{L}+)(\s+of(?:\s+the)?)?\s*$/iu.exec(plain.slice(0, index)) ?? [];
    const isLed = listed(of ? cues.people_noun : cues.people_lead, lead);
    const isName = isLed && !isMentioned(at) && isProperName(word, lead, language);
    const isFollowed = listed(cues.people_noun, words[at + 1]?.[0] ?? "") && isProperName(word, "", "en");
    const isStray = isOpen && at > 0 && isStrayName(words, at);
    return isName || ((isStray || isFollowed) && !isMentioned(at)) ? [joinName(words, at, isMentioned)] : [];
  });
  return [...new Set(names)].filter((name) => !names.some((longer) => longer.endsWith(` ${name}`)));
}

/** If adat is asked for and no known people is named, any name inside a sentence may be the people's. */
function isStrayName(words: RegExpMatchArray[], at: number): boolean {
  const [word = ""] = words[at] ?? [];
  const before = words[at - 1];
  const gap = (words[at]?.index ?? 0) - ((before?.index ?? 0) + (before?.[0].length ?? 0));
  return (
    gap === 1 &&
    /^\p{Lu}\p{Ll}{2,}/u.test(word) &&
    isProperName(word, "", "en") &&
    !listed(cues.no_people, before?.[0] ?? "")
  );
}

function isProperName(word: string, lead: string, language: Language): boolean {
  if (listed(cues.no_people, word) || isFunctionWord(word) || /^\d/.test(word) || isNation(word)) return false;
  if (/^\p{Lu}\p{Ll}/u.test(word)) return /^\p{Ll}/u.test(lead) || !isPlainWord(word);
  return language === "id" && /^(?:adat|suku)$/iu.test(lead) && word.length > 3 && !isIndonesianWord(word);
}

/** "Orang Tua" is capitalised too: a name is not an Indonesian root, unless a language is named after it. */
function isPlainWord(word: string): boolean {
  return isIndonesianWord(word) && !listNames("language").has(word.toLowerCase());
}

function joinName(words: RegExpMatchArray[], at: number, isMentioned: (at: number) => boolean): string {
  const [name = "", word = ""] = [words[at]?.[0], words[at + 1]?.[0]];
  const gap = (words[at + 1]?.index ?? 0) - ((words[at]?.index ?? 0) + name.length);
  const isPart = /^\p{Lu}\p{Ll}/u.test(word) && gap === 1 && !isMentioned(at + 1) && !isFunctionWord(word);
  return isPart ? `${name} ${word}` : name;
}

const letters = "abcdefghijklmnopqrstuvwxyz".split("");
const named = new Map<string, Set<string>>();

function listNames(type: "region" | "language"): Set<string> {
  let names = named.get(type);
  if (!names) {
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    const tags = type === "region" ? pairs : [...pairs, ...pairs.flatMap((pair) => letters.map((c) => pair + c))];
    const tables = ["id", "en"].map((locale) => new Intl.DisplayNames([locale], { type, fallback: "none" }));
    const found = tables.flatMap((table) =>
      tags.flatMap((tag) => table.of(type === "region" ? tag.toUpperCase() : tag) ?? []),
    );
    names = new Set(found.map((name) => name.toLowerCase()).filter((name) => name !== "indonesia"));
    named.set(type, names);
  }
  return names;
}

function isNation(word: string): boolean {
  const lower = word.toLowerCase();
  return listNames("region").has(lower) || lower === "indonesia" || lower === "indonesian";
}

/** The country or nation whose law a text asks for: "in Japan", "hukum Malaysia", "Dutch law". */
export function findForeignLaw(text: string, { mentions, uncovered }: Frame): string | null {
  const words = splitWords(readAsked(text));
  const known = [...mentions.map(({ term }) => term), ...uncovered, "indonesia", "indonesian"].map((one) =>
    one.toLowerCase(),
  );
  const isRegion = (name: string): boolean =>
    [name, name.replace(/n$/u, "")].some((one) => listNames("region").has(one));
  for (const [at, word] of words.entries()) {
    const [before = "", after = ""] = [words[at - 1], words[at + 1]];
    const pair = `${word} ${after}`.toLowerCase();
    const name = isRegion(pair) ? pair : word.toLowerCase();
    const isOfLaw = listed(cues.of_law, before) || listed(cues.of_law, after);
    const isNation = isRegion(name) || (/^\p{Lu}/u.test(word) && listNames("language").has(name));
    if (isNation && !known.includes(name) && (isOfLaw || (isRegion(name) && listed(cues.place_lead, before))))
      return word;
  }
  return null;
}

export function listLoose(text: string): string[] {
  const mentions = findMentions(text);
  return splitWords(text).flatMap((word, at) =>
    mentions.some(({ start, end }) => start <= at && at < end) ||
    isFunctionWord(word) ||
    listed([...cues.people_lead, ...cues.people_noun], word) ||
    /\d/.test(word) ||
    /^indonesia|ly$/iu.test(word)
      ? []
      : [keyOf(word)],
  );
}
