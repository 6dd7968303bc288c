import type { Outcome } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import type { Tone } from "../../contract/view.ts";

/** A wire name as a person would say it. */
export function sayName(name: string): string {
  return name.replaceAll(/[_-]+/g, " ").replaceAll(/(?<=\p{L}{2})(?=\d+\b)/gu, " ");
}

type Said = { word: string; tone: Tone };

/** How a run stands that has not ended. */
export const statusWords: Record<RunStatus, Said> = {
  running: { word: "running", tone: "neutral" },
  waiting: { word: "waits for a person", tone: "warn" },
  interrupted: { word: "interrupted", tone: "warn" },
  finished: { word: "finished", tone: "neutral" },
};

/** How a run ended. */
export const outcomeWords: Record<Outcome, Said> = {
  decided: { word: "decided", tone: "good" },
  undecided: { word: "undecided", tone: "warn" },
  escalated: { word: "needs a person", tone: "warn" },
  budget_exhausted: { word: "budget spent", tone: "warn" },
  failed: { word: "failed", tone: "bad" },
};

/** What a run came to, in a word and a tone. */
export function sayOutcome(status: RunStatus, outcome: Outcome | null): Said {
  return outcome === null ? statusWords[status] : outcomeWords[outcome];
}

/** What would steer the reading direction or cannot be seen, made visible. */
export function showHidden(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** The language of a text, for the page's `lang` attributes. */
export function guessLang(text: string): string | undefined {
  if (/[\uAC00-\uD7A3]/.test(text)) return "ko";
  return /\b(?:yang|dan|tidak|menurut|adalah|dengan|untuk)\b/i.test(text) ? "id" : undefined;
}
