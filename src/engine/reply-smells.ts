import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { remember } from "../text/remember.ts";
import { type Tell, problemWords } from "./problem-words.ts";
import type { Request } from "./prompt.ts";

/** What a player was told, as blocks and as text. */
export type Told = Pick<Request, "prompt" | "rendered">;

/** Replies that fit the schema and still say nothing: placeholders, echoes of the prompt, what its worked examples say. */
export function findReplySmells(raw: string, value: unknown, told: Told): Problem[] {
  const { prompt } = told;
  const problems: Problem[] = [];
  const tell = problemWords(prompt.language);
  if (isEcho(raw.trim(), told)) problems.push(problem("echo", tell("repeatsPrompt"), []));
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const smell = findTextSmell(text, path, { prompt, sayings, tell });
    if (smell) problems.push(problem(smell.code, smell.message, [...path]));
  });
  return problems;
}

type Sight = { prompt: Prompt; sayings: readonly Saying[]; tell: Tell };

function findTextSmell(text: string, path: Path, { prompt, sayings, tell }: Sight): Smell | null {
  if (isPlaceholder(text, path, prompt)) return { code: "placeholder", message: tell("placeholder", { text }) };
  if (repeatsExample(text, sayings, prompt)) return { code: "example", message: tell("repeatsExample") };
  const isEchoed = text.length >= minEcho && isInstruction(text, prompt);
  return isEchoed ? { code: "echo", message: tell("repeatsInstructions") } : null;
}

type Smell = Pick<Problem, "code" | "message">;

const minEcho = 60;

/** Whether a text repeats what a worked example says, in it or whole; what the case says as well is no copy. */
function repeatsExample(text: string, sayings: readonly Saying[], prompt: Prompt): boolean {
  const lower = text.toLowerCase();
  const likely = sayings.filter(({ longestWord }) => lower.includes(longestWord));
  if (likely.length === 0) return false;
  const said = ` ${loosen(text)} `;
  return likely.some(({ words }) => said.includes(` ${words} `) && !isInData(words, prompt, loosen));
}

/** Whether a text stands in what the organisers wrote: the instructions, or a speaker's own task. */
function isInstruction(text: string, prompt: Prompt): boolean {
  if (prompt.instructions.includes(text)) return true;
  return prompt.own.some((block) => "text" in block && block.text.includes(text)) && !isInData(text, prompt);
}

function isEcho(text: string, { rendered }: Told): boolean {
  if (text.length < minEcho) return false;
  return rendered.system.includes(text) || rendered.own.join("\n").includes(text);
}

const placeholderPattern = /^(?:<[a-z][a-z0-9 _|,./-]*>|\.{3}|…|\{\{?[a-z_ ]+\}?\}|your [a-z ]+ here|lorem ipsum.*)$/i;

function isPlaceholder(text: string, path: Path, prompt: Prompt): boolean {
  const trimmed = text.trim();
  if (placeholderPattern.test(trimmed)) return !isInData(trimmed, prompt);
  const key = path.findLast((part) => typeof part === "string");
  const looksCopied = trimmed === "string" || (typeof key === "string" && key.length > 4 && trimmed === key);
  return looksCopied && !isInData(trimmed, prompt);
}

function isInData(text: string, prompt: Prompt, read = (shown: string): string => shown): boolean {
  return prompt.blocks.some((block) => read("text" in block ? block.text : JSON.stringify(block.json)).includes(text));
}

type Path = (string | number)[];

/** Visits every string in a value, each with its path; the path is the visitor's only while it looks. */
function visitStrings(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === "string") return visit(value, path);
  if (value === null || typeof value !== "object") return;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    path.push(key);
    visitStrings((value as Record<string | number, unknown>)[key], path, visit);
    path.pop();
  }
}

function problem(code: string, message: string, path: Path): Problem {
  return { code, message, severity: "reject", path };
}

const heading = /^(#{1,6})\s+(.*)$/;
const exampleHeading = /^(?:example|contoh|예시)/iu;
const quoted = /"((?:[^"\\\n]|\\.)*)"/g;

/** An example's text, also normalised, with its longest word, which is quick to look for first. */
export type Saying = { text: string; words: string; longestWord: string };

/**
 * What the worked examples of a prompt say: the quoted texts under each heading that begins with "Example", "Contoh" or "예시",
 * in what the organisers wrote (the instructions and the texts of a speaker's own). Single words are left out: they are keys,
 * ids and choices, which a reply may share with an example.
 */
export function listExampleSayings({ instructions, own }: Prompt): readonly Saying[] {
  const common = recallSayings(instructions);
  const added = own.flatMap((block) => ("text" in block && block.text.includes("#") ? recallSayings(block.text) : []));
  return added.length === 0 ? common : [...common, ...added];
}

/** Instructions and tasks are the same turn after turn. */
const recallSayings = remember(256, (written): readonly Saying[] =>
  [...new Set(readSayings(written))].map((text) => {
    const words = loosen(text);
    return { text, words, longestWord: findLongest(words.split(" ")) };
  }),
);

/** Letter case, spaces and marks do not make a copy one's own words. */
export function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function findLongest(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function readSayings(text: string): string[] {
  const quotes = listExamples(text).flatMap((example) => [...example.matchAll(quoted)].map(([, said = ""]) => said));
  return quotes.map(unescape).filter((saying) => saying.split(/\s+/).length >= minWords);
}

const minWords = 3;

/** The sections of a text that are examples, each up to the next heading. */
export function listExamples(text: string): string[] {
  const sections: string[][] = [];
  let isExample = false;
  for (const line of text.split("\n")) {
    const title = heading.exec(line)?.[2];
    if (title !== undefined) {
      isExample = exampleHeading.test(title);
      if (isExample) sections.push([]);
    } else if (isExample) sections.at(-1)?.push(line);
  }
  return sections.map((lines) => lines.join("\n").trim());
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1").trim();
}
