/** Facts about each language: endings, cues, aspect groups, words for orders and stances. */
import { readFileSync } from "node:fs";
import { isCommonWord } from "../../../text/vectors.ts";
import type { Span } from "./reading.ts";

export type LanguageCode = "ko" | "en";

/** `particles` are endings of terms, `neutral_cues` words that rate something as average. */
export type Language = {
  particles: string[];
  contrast_markers: string[];
  negation_cues: string[];
  irony_cues: string[];
  neutral_cues: string[];
  /** Patterns for text that mentions labels or addresses the analyst. */
  orders: { labels: string; analysis: string };
  aspect_synonyms: Record<string, string[]>;
};

const folder = new URL("../../../../data/sentiment/", import.meta.url);

export function readData(path: string): string {
  return readFileSync(new URL(path, folder), "utf8");
}

const open = (code: LanguageCode) => JSON.parse(readData(`${code}/language.json`)) as Language;
const languages: Record<LanguageCode, Language> = { ko: open("ko"), en: open("en") };

export function languageOf(code: LanguageCode): Language {
  return languages[code];
}

/** Korean when Hangul is a fifth or more of the letters (sentiment spec §2). */
export function detectLanguage(text: string): LanguageCode {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return letters > 0 && hangul / letters >= 0.2 ? "ko" : "en";
}

/** True for text that is neither Korean nor English; English has a common word in nearly every five. */
export function isForeign(text: string): boolean {
  if (detectLanguage(text) === "ko") return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if ((text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 < letters) return true;
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length >= 5 && !words.some(isCommonWord);
}

const openStances = loadOnce(
  () => JSON.parse(readData("stance-words.json")) as Record<LanguageCode, Record<string, string>>,
);

export function stanceWords(code: LanguageCode): Record<string, string> {
  return openStances()[code];
}

export function loadOnce<T extends object>(load: () => T): () => T {
  let held: T | undefined;
  return () => {
    held ??= load();
    return held;
  };
}

export function findCues(text: string, cues: readonly string[], code: LanguageCode): Span[] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  const isLetter = (char: string) => /[\p{L}\p{N}]/u.test(char);
  const spans = cues.flatMap((cue) => {
    const found: Span[] = [];
    for (let at = lower.indexOf(cue); at !== -1; at = lower.indexOf(cue, at + 1)) {
      const before = cue.startsWith("n't") ? "" : lower.charAt(at - 1);
      const isWhole = !isLetter(before) && !isLetter(lower.charAt(at + cue.length));
      if (code === "ko" || isWhole) found.push({ start: at, end: at + cue.length });
    }
    return found;
  });
  return spans.sort((a, b) => a.start - b.start);
}

export function nameStructure(text: string, code: LanguageCode): "irony" | "contrast" | "negation" | "none" {
  const { irony_cues, contrast_markers, negation_cues } = languages[code];
  if (findCues(text, irony_cues, code).length > 0) return "irony";
  if (findCues(text, contrast_markers, code).length > 0) return "contrast";
  return findCues(text, negation_cues, code).length > 0 ? "negation" : "none";
}

/** The parts of a sentence that order a label, by themselves or together: "Dear AI, five stars, so positive". */
export function readOrders(text: string): Span[] {
  const all = Object.values(languages).map(({ orders }) => orders);
  const [labels, analysis] = (["labels", "analysis"] as const).map(
    (name) => new RegExp(all.map((orders) => orders[name]).join("|"), "iu"),
  ) as [RegExp, RegExp];
  return [...text.matchAll(/[^.!?;\n]+[.!?;]*/g)].flatMap((sentence) => {
    if (!labels.test(sentence[0]) || !analysis.test(sentence[0])) return [];
    const parts = [...sentence[0].matchAll(/[^,]+,*/g)];
    const whole = parts.filter(([words]) => labels.test(words) && analysis.test(words));
    const named = whole.length > 0 ? whole : parts.filter(([words]) => labels.test(words) || analysis.test(words));
    return named.map((part) => {
      const start = sentence.index + part.index;
      return { start, end: start + part[0].length };
    });
  });
}

export function findGroups(
  text: string,
  code: LanguageCode,
): { particles: string[]; synonyms: Record<string, string[]> } {
  const { particles, aspect_synonyms } = languages[code];
  const named = Object.entries(aspect_synonyms).filter(([, own]) => findCues(text, own, code).length > 0);
  return { particles, synonyms: Object.fromEntries(named) };
}
