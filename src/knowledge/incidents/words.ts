import { stemEnglish } from "../../text/search.ts";

const stopWords = new Set(
  "a an and are as at be been by for from had has have in into is it its no not of on or that the this to was were will with java org com net".split(
    " ",
  ),
);
const instancePatterns = [
  /<\*>/g,
  /\b[a-z]+:\/\/\S+/gi,
  /\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?\S*)?/gi,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /(?<![\w.])\/[\w.-]+(?:\/[\w.-]+)+/g,
  /\b[\w.$@-]*\d[\w.$@-]*\b/g,
];

/** Words for comparing messages: no instance ids, dates, numbers or hidden words; stemmed, first 60. */
export function extractWords(text: string, hide: readonly string[] = []): string[] {
  let rest = text;
  for (const pattern of instancePatterns) rest = rest.replace(pattern, " ");
  const hidden = hide.map((word) => word.toLowerCase());
  const words =
    splitCamel(rest)
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? [];
  const kept = words.filter((word) => !stopWords.has(word) && !isHidden(word, hidden)).map(stemEnglish);
  return [...new Set(kept)].slice(0, 60);
}

function isHidden(word: string, hidden: string[]): boolean {
  return hidden.some((name) => word.includes(name) || (word.length > 3 && name.includes(word)));
}

function splitCamel(text: string): string {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

/** An error type without its package, in lower case: `java.net.ConnectException` and `ConnectException` are one. */
export function shortenErrorType(type: string): string {
  return (type.match(/[\w$]+$/)?.[0] ?? type).toLowerCase();
}

const frame =
  /^\s*(?:at\s+[\w.$<>/]+\(|File "|\.\.\. \d+ more|goroutine \d+|Traceback \(most recent call last\)|[\w./*()]+\(.*\)$|\S+\.go:\d+)/;

/** True for a frame of a stack trace: it says where something failed, never why. */
export function isFrame(line: string): boolean {
  return frame.test(line);
}

const specific =
  /\b(?:too (?:large|small|long|many|big|old|few)|not (?:found|enough|exist|permitted|authorized|allowed|available|set|installed|valid)|no (?:such|space|route|more|valid|longer)|missing|refused|expired|exceed(?:s|ed|ing)?|insufficient|invalid|denied|unknown|mismatch|already|corrupt\w*|cannot|could not|unable|exhausted|full|limit|unsupported|undefined|null|nil)\b/i;
const wrapper =
  /\b(?:request failed|threw exception|unexpected|failed to (?:spawn|boot|start|process|execute|complete)|error from last host|internal server error|unhandled|could not be invoked|exhausted for|rolling back|aborting|giving up|re-?scheduled)\b/i;

/** True for a text that says something about a cause: more than a frame, or that something failed. */
export function isTelling(text: string): boolean {
  if (isFrame(text)) return false;
  return (
    !wrapper.test(text) || specific.test(text) || /\b[\w$]*(?:Exception|Error)\b: \S|^[A-Z][\w$]{5,}: \S/.test(text)
  );
}

/** The messages that prove a cause: they share words with what a person said of it. */
export function findProof(cause: string, messages: readonly string[]): string[] {
  const stated = new Set(extractWords(cause));
  const shares = (text: string) => extractWords(text).filter((word) => stated.has(word)).length >= 2;
  return [...new Set(messages)].filter(shares).slice(0, 6);
}

export const troubleWords =
  /\b(error|fail|exception|timed? ?out|lost|refused|unreachable|killed|denied|unable|cannot|could not)/i;

/** Kinds of entities by which logs of two days can be compared. */
export const comparable: ReadonlySet<string> = new Set(["host", "service", "component", "node"]);
