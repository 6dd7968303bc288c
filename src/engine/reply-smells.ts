import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { listExampleSayings } from "./prompt-examples.ts";
import { problemWords } from "./problem-words.ts";
import { renderBlock } from "./render-prompt.ts";

/** Replies that fit the schema and still say nothing: placeholders, echoes of the prompt, what its worked examples say. */
export function findReplySmells(raw: string, value: unknown, prompt: Prompt): Problem[] {
  const problems: Problem[] = [];
  const tell = problemWords(prompt.language);
  if (isEcho(raw.trim(), prompt)) problems.push(problem("echo", tell.repeatsPrompt(), []));
  const sayings = loosenSayings(listExampleSayings(prompt));
  for (const leaf of listStringLeaves(value)) {
    if (isPlaceholder(leaf.text, leaf.path, prompt))
      problems.push(problem("placeholder", tell.placeholder(leaf.text), leaf.path));
    else if (repeatsExample(leaf.text, sayings, prompt))
      problems.push(problem("example", tell.repeatsExample(), leaf.path));
    else if (leaf.text.length >= minEcho && isInstruction(leaf.text, prompt))
      problems.push(problem("echo", tell.repeatsInstructions(), leaf.path));
  }
  return problems;
}

const minEcho = 60;

/** Whether a text repeats what a worked example says, in it or whole; what the case says as well is no copy. */
function repeatsExample(text: string, sayings: readonly Saying[], prompt: Prompt): boolean {
  const lower = text.toLowerCase();
  const likely = sayings.filter(({ longestWord }) => lower.includes(longestWord));
  if (likely.length === 0) return false;
  const said = ` ${loosen(text)} `;
  return likely.some(({ words }) => said.includes(` ${words} `) && !isInData(words, prompt, loosen));
}

/** What an example says, loosened, and a word without which nothing repeats it: looking for that alone is quick. */
type Saying = { words: string; longestWord: string };

const loosened = new WeakMap<readonly string[], Saying[]>();

function loosenSayings(sayings: readonly string[]): readonly Saying[] {
  let known = loosened.get(sayings);
  if (!known) {
    known = sayings.map(loosen).map((words) => ({ words, longestWord: findLongest(words.split(" ")) }));
    loosened.set(sayings, known);
  }
  return known;
}

function findLongest(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

/** Letter case, spaces and marks do not make a copy one's own words. */
function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether a text stands in what the organisers wrote: the instructions, or a speaker's own task. */
function isInstruction(text: string, prompt: Prompt): boolean {
  if (prompt.instructions.includes(text)) return true;
  return prompt.own.some((block) => "text" in block && block.text.includes(text)) && !isInData(text, prompt);
}

function isEcho(text: string, prompt: Prompt): boolean {
  if (text.length < minEcho) return false;
  return prompt.instructions.includes(text) || prompt.own.map(renderBlock).join("\n").includes(text);
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

type Leaf = { text: string; path: Path };

function listStringLeaves(value: unknown, path: Path = [], leaves: Leaf[] = []): Leaf[] {
  if (typeof value === "string") leaves.push({ text: value, path });
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) listStringLeaves(item, [...path, index], leaves);
  else if (value !== null && typeof value === "object")
    for (const [key, item] of Object.entries(value)) listStringLeaves(item, [...path, key], leaves);
  return leaves;
}

function problem(code: string, message: string, path: Path): Problem {
  return { code, message, severity: "reject", path };
}
