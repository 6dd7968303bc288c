import * as z from "zod";
import type { PromptLanguage } from "../contract/prompt.ts";

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

/** How a schema is to say what is wrong with a value, in the language of a prompt. */
export function localeOf(language: PromptLanguage): Parameters<z.ZodType["safeParse"]>[1] {
  return language === "en" ? {} : { error: locales[language] };
}

/** What schemas say in words of their own, for which their locale has none: `params.limit` of a refinement names it. */
const limits: Record<string, Record<Exclude<PromptLanguage, "en">, (most: number) => string>> = {
  empty: { id: () => "tidak boleh kosong", ko: () => "비어 있으면 안 됩니다" },
  characters: { id: (most) => `lebih panjang dari ${most} huruf`, ko: (most) => `${most}자보다 깁니다` },
  items: { id: (most) => `lebih dari ${most} butir`, ko: (most) => `${most}개보다 많습니다` },
};

/** What a schema found wrong, in the language of a prompt; its own English words where nothing else is known. */
export function sayIssue(issue: z.core.$ZodIssue, language: PromptLanguage): string {
  const { limit = "", most = 0 } = issue.code === "custom" ? ((issue.params ?? {}) as Limit) : {};
  return language === "en" ? issue.message : (limits[limit]?.[language](most) ?? issue.message);
}

type Limit = { limit?: string; most?: number };
