import { readFileSync } from "node:fs";
import * as z from "zod";
import type { CitedProvision } from "./citations.ts";
import { findForeignLaw, type Frame, listAsked } from "./frame.ts";
import type { Domain } from "./items.ts";
import type { Hit } from "./search.ts";
import { stemEnglish } from "../../text/search.ts";
import { findMentions, isFunctionWord, type Language, type Mention, splitWords } from "./words.ts";

export type RouteLabel = "pure_national" | "pure_adat" | "conflict" | "consensus";

export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

const cues = z
  .record(z.enum(["clash", "opposed", "harmony", "recent", "says", "denies", "unknown"]), z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL("../../../data/law/cues.json", import.meta.url), "utf8")));

function countCues(text: string, kind: keyof typeof cues): number {
  const sentences = text.toLowerCase().split(/[.!?;]\s/u);
  return sentences.reduce((count, sentence) => {
    const said = splitWords(sentence).map(stemEnglish);
    const isAt = (wanted: string[], at: number): boolean => wanted.every((form, offset) => said[at + offset] === form);
    const forms = cues[kind].map((cue) => splitWords(cue).map(stemEnglish));
    return count + said.reduce((sum, _, at) => sum + forms.filter((wanted) => isAt(wanted, at)).length, 0);
  }, 0);
}

export function findMissing(
  query: string,
  frame: Frame,
  found: { hits: Hit[]; cited: CitedProvision[]; label: RouteLabel },
  language: Language,
): string[] {
  const lacks = (id: string, en: string): string[] => [
    language === "en" ? `${en} not in this knowledge base` : `${id} tidak ada dalam basis pengetahuan ini`,
  ];
  const peoples = frame.uncovered.join(", ");
  if (found.label === "pure_adat" && peoples !== "" && frame.peoples.length === 0)
    return lacks(`adat ${peoples}`, `the adat of ${peoples} is`);
  const foreign = findForeignLaw(query, frame);
  if (foreign) return lacks(`hukum ${foreign}`, `the law of ${foreign} is`);
  const isNews = query
    .split(/(?<=[.!?])\s+/u)
    .some((sentence) => countCues(sentence, "recent") > 0 && isOfLaw(sentence));
  if (isNews) return lacks("peristiwa hukum yang baru", "recent legal events are");
  const unknown = found.cited.filter(({ known }) => !known).map(({ text }) => text);
  if (unknown.length > 0 && unknown.length === found.cited.length)
    return lacks(unknown.join("; "), `${unknown.join("; ")} is`);
  if (found.hits.some(({ answers }) => answers) || found.cited.some(({ known }) => known)) return [];
  const looked = [...new Set(splitWords(listAsked(query)).filter((word) => !isFunctionWord(word)))].join(", ");
  return [
    language === "en"
      ? `no item answers it; looked for: ${looked}`
      : `tidak ada butir yang menjawab; yang dicari: ${looked}`,
  ];
}

function isOfLaw(sentence: string): boolean {
  return (
    /\b(?:peraturan|aturan|hukum|law|act|decision|regulation|rule)/iu.test(sentence) ||
    findMentions(sentence).some(({ concept: { side, role } }) => side === "national" || role === "law")
  );
}

export function findDisputed(query: string): string[] {
  const clauses = query.split(/(?<=[.!?;:,])\s+/u);
  const has = (text: string, kind: keyof typeof cues): boolean => countCues(text, kind) > 0;
  const stated = clauses.filter(
    (text) =>
      (has(text, "says") || has(text, "denies")) && findMentions(text).every(({ concept }) => concept.role !== "law"),
  );
  const isDenied = stated.length > 1 || stated.some((text) => has(text, "denies"));
  return clauses.filter((text) => has(text, "unknown") || (isDenied && stated.includes(text)));
}

/** Which laws a question asks for, and whether it sets them against each other (law spec §1.1). */
export function routeQuestion(
  query: string,
  frame: Frame,
  hits: Hit[],
  cited: CitedProvision[],
  hint: RouteLabel | undefined,
): Omit<Route, "out_of_scope"> {
  const named = frame.mentions.filter(({ literal }) => literal);
  const of = (mentions: Mention[], side: Domain, role?: "law"): number =>
    mentions.filter(({ concept }) => concept.side === side && (!role || concept.role === role)).length;
  const namesLaw = of(named, "national", "law") + cited.length > 0;
  const adat = of(named, "adat") + (namesLaw ? 0 : frame.uncovered.length);
  const national = of(named, "national") + cited.length;
  const isApplied = of(named, "adat") > 0 && named.some(({ concept }) => stateOffices.has(concept.id));
  const count = (kind: keyof typeof cues): number => countCues(query, kind);
  const tension = 3 * count("clash") + count("opposed") - 2 * count("harmony") + (isApplied ? 1 : 0);
  const scores = { national, adat, conflict: tension };
  const rationale = `national ${national}, adat ${adat}, tension ${tension}${hint ? "; hint" : ""}`;
  // A people alone says where somebody is from: what answers decides which law is meant.
  const isOrigin =
    frame.uncovered.length === 0 && named.every(({ concept }) => concept.side !== "adat" || concept.role === "people");
  const isNational = isOrigin && hits.find(({ answers }) => answers)?.evidence.domain === "national";
  const answersAdat = hits.some(({ answers, evidence }) => answers && evidence.domain === "adat");
  const choose = (): RouteLabel => {
    if (adat === 0 || (isNational && tension <= 0 && (national > 0 || !answersAdat))) return "pure_national";
    if (national === 0 && !isNational) return "pure_adat";
    return tension > 0 ? "conflict" : "consensus";
  };
  return { label: hint ?? choose(), scores, rationale };
}

const stateOffices = new Set("notary ppat land_certificate hak_milik hgu hgb civil_registry district_court".split(" "));
