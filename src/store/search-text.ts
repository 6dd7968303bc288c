import { ParleyError } from "../contract/error.ts";
import type { EntryBody } from "../contract/journal.ts";
import type { Manifest } from "../contract/run.ts";
import { readConcludedReply } from "../engine/turn.ts";
import { isRecord } from "../text/is-record.ts";

/** The most of one case, reply or decision that is searched: a log of a gigabyte must not become an index of one. */
const longestText = 20_000;

/** What of a run can be found from its start: the texts of its case. */
export function listCaseText({ input }: Manifest): string {
  return joinTexts(input);
}

/** What an entry adds that can be found: the reply a turn ended with, the decision and its reasons; else nothing. */
export function listEntryText(body: EntryBody): string {
  if (body.kind === "attempt") return body.conclusion === null ? "" : joinTexts(readConcludedReply(body));
  if (body.kind === "review") return joinTexts([body.ruling, body.reviewer]);
  return body.kind === "end" ? joinTexts([body.result.reasons, body.result.decision]) : "";
}

/** The words of a question to the index; all of them must be found, each as the beginning of a word. */
export function requireSearchWords(text: string): string[] {
  const words = [...new Set(listWords(text))].slice(0, 20);
  if (words.length === 0) throw new ParleyError("bad_input", "text: there is no word in it to look for");
  return words;
}

/** The words of a text, in small letters. */
export function listWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The texts in a value, one under another, as far as they are searched. */
function joinTexts(value: unknown): string {
  const texts: string[] = [];
  let left = longestText;
  const visit = (part: unknown): void => {
    if (left <= 0) return;
    if (typeof part === "string") {
      texts.push(part.slice(0, left));
      left -= part.length + 1;
    } else if (Array.isArray(part)) for (const item of part) visit(item);
    else if (isRecord(part)) for (const item of Object.values(part)) visit(item);
  };
  visit(value);
  return texts.join("\n");
}
