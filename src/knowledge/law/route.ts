import type { CitedProvision } from "./citations.ts";
import { findForeignLaw, type Frame, readAsked } from "./frame.ts";
import type { Domain } from "./items.ts";
import type { Hit } from "./search.ts";
import { stemEnglish } from "../../text/search.ts";
import { type Concept, cues, findMentions, isFunctionWord, type Language, type Mention, splitWords } from "./words.ts";

export type RouteLabel = "pure_national" | "pure_adat" | "conflict" | "consensus";

export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

type Cue = "clash" | "opposed" | "harmony" | "recent" | "of_law" | "says" | "denies" | "unknown";

function countCues(text: string, kind: Cue): number {
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
  if (foreign) return lacks(`hukum asing (${foreign})`, `foreign law (${foreign}) is`);
  const isNews = query.split(/(?<=[.!?,;])\s+/u).some((clause) => countCues(clause, "recent") > 0 && isOfLaw(clause));
  if (isNews) return lacks("peristiwa hukum yang baru", "recent legal events are");
  const unknown = found.cited.filter(({ known }) => !known).map(({ text }) => text);
  if (unknown.length > 0 && unknown.length === found.cited.length)
    return lacks(unknown.join("; "), `${unknown.join("; ")} is`);
  if (found.hits.some(({ answers }) => answers) || found.cited.some(({ known }) => known)) return [];
  const looked = [...new Set(splitWords(readAsked(query)).filter((word) => !isFunctionWord(word)))].join(", ");
  return [
    language === "en"
      ? `no item answers it; looked for: ${looked}`
      : `tidak ada butir yang menjawab; yang dicari: ${looked}`,
  ];
}

function isOfLaw(clause: string): boolean {
  const isNamed = ({ concept: { side, role } }: Mention): boolean => side === "national" || role === "law";
  return countCues(clause, "of_law") > 0 || findMentions(clause).some(isNamed);
}

export function findDisputed(query: string): string[] {
  const clauses = query.split(/(?<=[.!?;:,])\s+/u);
  const has = (text: string, kind: Cue): boolean => countCues(text, kind) > 0;
  const stated = clauses.filter(
    (text) =>
      (has(text, "says") || has(text, "denies")) && findMentions(text).every(({ concept }) => concept.role !== "law"),
  );
  const isDenied = stated.length > 1 || stated.some((text) => has(text, "denies"));
  return clauses.filter((text) => has(text, "unknown") || (isDenied && stated.includes(text)));
}

/** The laws a question asks for, and whether it sets them against each other (law spec §1.1). */
export function routeQuestion(
  query: string,
  frame: Frame,
  hits: Hit[],
  cited: CitedProvision[],
  hint: RouteLabel | undefined,
): Omit<Route, "out_of_scope"> {
  const named = frame.mentions.filter(({ literal }) => literal);
  const of = (side: Domain, role?: Concept["role"]): number =>
    named.filter(({ concept }) => concept.side === side && (!role || concept.role === role)).length;
  const namesLaw = of("national", "law") + cited.length > 0;
  const adat = of("adat") + (namesLaw ? 0 : frame.uncovered.length);
  const national = of("national") + cited.length;
  const namesOffice = of("national", "object") > 0;
  const isApplied = of("adat") > 0 && namesOffice;
  // If the people's adat is not held here, only words that name the state or its law ask for national law too.
  const isAdatOnly = national === 0 || (frame.uncovered.length > 0 && !namesLaw && !namesOffice);
  const count = (kind: Cue): number => countCues(query, kind);
  const tension = 3 * count("clash") + count("opposed") - 2 * count("harmony") + (isApplied ? 1 : 0);
  const scores = { national, adat, conflict: tension };
  const rationale = `national ${national}, adat ${adat}, tension ${tension}${hint ? "; hint" : ""}`;
  // Naming a people may only say where somebody is from; the items found decide which law is meant.
  const isOrigin =
    frame.uncovered.length === 0 && named.every(({ concept }) => concept.side !== "adat" || concept.role === "people");
  const isNational = isOrigin && hits.find(({ answers }) => answers)?.evidence.domain === "national";
  const answersAdat = hits.some(({ answers, evidence }) => answers && evidence.domain === "adat");
  const choose = (): RouteLabel => {
    if (adat === 0 || (isNational && tension <= 0 && (national > 0 || !answersAdat))) return "pure_national";
    if (isAdatOnly && !isNational) return "pure_adat";
    return tension > 0 ? "conflict" : "consensus";
  };
  return { label: hint ?? choose(), scores, rationale };
}
