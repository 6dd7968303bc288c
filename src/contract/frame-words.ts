import en from "../../data/words/en.json" with { type: "json" };
import id from "../../data/words/id.json" with { type: "json" };
import ko from "../../data/words/ko.json" with { type: "json" };
import type { PromptLanguage } from "./prompt.ts";

/** What a page or a report says around what the pack and its speakers say, in one language; gaps are `{named}`. */
export type FrameWords = Omit<typeof en, "notes" | "limits"> & {
  /** What notes of the rules are called, by their type; their own names where they are not listed. */
  notes: Record<string, string>;
  /** What a limit of a schema says where its locale has no words for it. */
  limits: Record<string, string>;
};

/** The words that the viewer's own components say. */
export type PageWords = FrameWords["page"];

/** What is said about what a decision hangs on. */
export type WhyWords = FrameWords["why"];

const frames: Record<PromptLanguage, FrameWords> = { en, id, ko };

export function frameOf(language: PromptLanguage): FrameWords {
  return frames[language];
}

/** Fills the gaps of a phrase: `{count}` is the value, `{count|turn|turns}` the word for one or for another number of them. */
export function fillIn(phrase: string, values: Record<string, string | number>): string {
  return phrase.replaceAll(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
    const value = values[name] ?? "";
    return one === undefined ? String(value) : ((Number(value) === 1 ? one : other) ?? "");
  });
}
