import { english } from "./en.ts";
import { korean } from "./ko.ts";
import type { Language, LanguageCode } from "./language.ts";

const languages: Record<LanguageCode, Language> = { ko: korean, en: english };

/** The language file of a code. */
export function languageOf(code: LanguageCode): Language {
  return languages[code];
}

/** The code as the pack knows it ("ko-KR" is ko), or null when it is missing or not supported. */
export function readLanguageCode(code: string | null | undefined): LanguageCode | null {
  const base = code?.trim().toLowerCase().split(/[-_]/)[0];
  return base === "ko" || base === "en" ? base : null;
}

/** The language of a text by its script: Korean when Hangul is a fifth or more of its letters (sentiment spec §2). */
export function detectLanguage(text: string): LanguageCode {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return letters > 0 && hangul / letters >= 0.2 ? "ko" : "en";
}
