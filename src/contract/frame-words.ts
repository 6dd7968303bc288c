import en from "../../data/words/en.json" with { type: "json" };
import id from "../../data/words/id.json" with { type: "json" };
import ko from "../../data/words/ko.json" with { type: "json" };
import type { PromptLanguage } from "./prompt.ts";

export type FrameWords = Omit<typeof en, "notes" | "limits"> & {
  notes: Record<string, string>;
  limits: Record<string, string>;
};

export type PageWords = FrameWords["page"];

export type WhyWords = FrameWords["why"];

const frames: Record<PromptLanguage, FrameWords> = { en, id, ko };

export function frameOf(language: PromptLanguage): FrameWords {
  return frames[language];
}

/** Fills a phrase: `{count}` is the value, `{count|turn|turns}` the singular or plural. */
export function fillIn(phrase: string, values: Record<string, string | number>): string {
  return phrase.replaceAll(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
    const value = values[name] ?? "";
    return one === undefined ? String(value) : ((Number(value) === 1 ? one : other) ?? "");
  });
}
