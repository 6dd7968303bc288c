import { english } from "./notes-en.ts";
import { indonesian } from "./notes-id.ts";

/** What the checks and rules write down about a debate, in one language. */
export type Notes = typeof english;

/** The notes in the language of a case: a repair, a report and what the supervisor reads speak one language. */
export function notesOf(language: "id" | "en"): Notes {
  return language === "en" ? english : indonesian;
}
