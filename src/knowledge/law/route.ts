import { readFileSync } from "node:fs";
import * as z from "zod";
import type { CitedProvision } from "./citations.ts";
import { findForeignLaw, type Frame } from "./frame.ts";
import type { Knowledge } from "./items.ts";
import { type Hit, readNeed } from "./search.ts";
import { findMentions, keyOf, type Language, type Mention, splitWords } from "./words.ts";

export type RouteLabel = "pure_national" | "pure_adat" | "conflict" | "consensus";

/** Which law a question asks for, whether the knowledge base can answer it, and why. */
export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

const cues = z
  .record(z.enum(["clash", "opposed", "harmony", "recent", "says", "denies", "unknown"]), z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL("../../../data/law/cues.json", import.meta.url), "utf8")));

/** How often words of a kind stand in a text; up to three words after a negation they count for the opposite. */
function countCues(text: string, kind: keyof typeof cues): { said: number; denied: number } {
  const words = splitWords(text.toLowerCase());
  const stems = words.map(keyOf);
  let [said, denied] = [0, 0];
  for (const cue of cues[kind]) {
    // "terbaru" is not "baru": when something happened is said by the form of the word.
    const [wanted, keys] = kind === "recent" ? [splitWords(cue), words] : [splitWords(cue).map(keyOf), stems];
    for (let at = 0; at + wanted.length <= keys.length; at++) {
      if (!wanted.every((key, offset) => keys[at + offset] === key)) continue;
      const before = words.slice(Math.max(0, at - 3), at);
      if (before.some((word) => /^(?:tidak|tanpa|bukan|no|not|without|never)$/u.test(word))) denied++;
      else said++;
    }
  }
  return { said, denied };
}

/** What of a question is not held here: its reasons, in words for the reader. Empty where something answers it. */
export function findMissing(
  query: string,
  frame: Frame,
  found: { hits: Hit[]; cited: CitedProvision[]; label: RouteLabel },
  language: Language,
  knowledge: Knowledge,
): string[] {
  const lacks = (id: string, en: string): string[] => [
    language === "en" ? `${en} not in this knowledge base` : `${id} tidak ada dalam basis pengetahuan ini`,
  ];
  const peoples = frame.uncovered.join(", ");
  if (found.label === "pure_adat" && peoples !== "" && frame.peoples.length === 0)
    return lacks(`adat ${peoples}`, `the adat of ${peoples} is`);
  const foreign = findForeignLaw(query, frame);
  if (foreign) return lacks(`hukum ${foreign}`, `the law of ${foreign} is`);
  const instrument = /\b(?:putusan|undang|uu|peraturan|aturan|hukum|law|act|decision|ruling|regulation|rule)\w*/iu;
  const isNews = query
    .split(/(?<=[.!?])\s+/u)
    .some((sentence) => countCues(sentence, "recent").said > 0 && instrument.test(sentence));
  if (isNews) return lacks("peristiwa hukum yang baru", "recent legal events are");
  const unknown = found.cited.filter(({ known }) => !known).map(({ text }) => text);
  if (unknown.length > 0 && unknown.length === found.cited.length)
    return lacks(unknown.join("; "), `${unknown.join("; ")} is`);
  if (found.hits.some(({ answers }) => answers) || found.cited.some(({ known }) => known)) return [];
  const { features, unknown: words, acts } = readNeed(query, frame, knowledge);
  const sought = [...acts, ...[...features.keys()].map((one) => one.replace("#", "").replaceAll("_", " "))];
  const looked = [...new Set([...words, ...sought])].slice(0, 8).join(", ");
  return [
    language === "en"
      ? `no item answers it; looked for: ${looked}`
      : `tidak ada butir yang menjawab; yang dicari: ${looked}`,
  ];
}

/** What a question says that one party states and another denies, or calls unclear; a dispute about the law is none. */
export function findDisputed(query: string): string[] {
  const clauses = query.split(/(?<=[.!?;:,])\s+/u);
  const has = (text: string, kind: keyof typeof cues): boolean => {
    const { said, denied } = countCues(text, kind);
    return said + denied > 0;
  };
  const stated = clauses.filter(
    (text) =>
      (has(text, "says") || has(text, "denies")) && findMentions(text).every(({ concept }) => concept.role !== "law"),
  );
  const isDenied = stated.length > 1 || stated.some((text) => has(text, "denies"));
  return clauses.filter((text) => has(text, "unknown") || (isDenied && stated.includes(text)));
}

/** Weighs the words of both laws and what sets them against each other (law spec §1.1). */
export function routeQuestion(
  query: string,
  frame: Frame,
  hits: Hit[],
  cited: CitedProvision[],
  hint: RouteLabel | undefined,
): Omit<Route, "out_of_scope"> {
  const weigh = (side: "national" | "adat"): number =>
    frame.mentions
      .filter(({ concept }) => concept.side === side)
      .reduce((sum, { concept: { role, common } }) => sum + (role === "law" ? 2 : 1) * (common ? 0.6 : 1), 0);
  const national = weigh("national") + 2 * cited.length;
  const adat = weigh("adat") + frame.uncovered.length;
  const [clash, opposed, harmony] = [
    countCues(query, "clash"),
    countCues(query, "opposed"),
    countCues(query, "harmony"),
  ];
  const isApplied =
    frame.mentions.some(({ concept }) => stateOffices.has(concept.id)) &&
    frame.mentions.some(({ concept }) => concept.side === "adat");
  const tension =
    3 * (clash.said - clash.denied) + opposed.said - 2 * harmony.said + 2 * harmony.denied + (isApplied ? 1 : 0);
  const scores = { national, adat, conflict: tension };
  const label = hint ?? chooseLabel(frame, scores, hits, cited.length > 0);
  const rationale = `national ${national}, adat ${adat}, tension ${tension}${hint ? "; hint" : ""}`;
  return { label, scores, rationale };
}

/** What an office or court of the state does; where a people or its adat is named as well, the two laws meet. */
const stateOffices = new Set("notary ppat land_certificate hak_milik hgu hgb civil_registry district_court".split(" "));

function isAdatMatter({ concept: { side, role } }: Mention): boolean {
  return side === "adat" && role !== "people" && role !== "law";
}

function chooseLabel(
  { mentions, uncovered }: Frame,
  { national, adat, conflict }: Route["scores"],
  hits: Hit[],
  cited: boolean,
): RouteLabel {
  const best = (domain: string): number => hits.find(({ evidence }) => evidence.domain === domain)?.score ?? 0;
  const namesAdat = uncovered.length > 0 || mentions.some(({ concept }) => concept.id === "adat");
  const namesNational = cited || mentions.some(({ concept: { role, side } }) => role === "law" && side === "national");
  if (adat === 0) return "pure_national";
  if (!namesAdat && !mentions.some(isAdatMatter) && conflict <= 0 && best("national") > 1.3 * best("adat"))
    return "pure_national";
  const asksNeither = !namesAdat && !namesNational && !mentions.some(isAdatMatter);
  if (asksNeither && best("national") > 0.75 * best("adat")) return conflict > 0 ? "conflict" : "consensus";
  if (national === 0) return "pure_adat";
  if (conflict > 0) return "conflict";
  return namesNational ? "consensus" : "pure_adat";
}
