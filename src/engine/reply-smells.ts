import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { listExampleSayings, loosen, type Saying } from "./prompt-examples.ts";
import { type ProblemWords, problemWords } from "./problem-words.ts";
import type { Request } from "./request.ts";

/** What a player was told, as blocks and as text. */
export type Told = Pick<Request, "prompt" | "rendered">;

/** Replies that fit the schema and still say nothing: placeholders, echoes of the prompt, what its worked examples say. */
export function findReplySmells(raw: string, value: unknown, told: Told): Problem[] {
  const { prompt } = told;
  const problems: Problem[] = [];
  const tell = problemWords(prompt.language);
  if (isEcho(raw.trim(), told)) problems.push(problem("echo", tell.repeatsPrompt(), []));
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const smell = findTextSmell(text, path, { prompt, sayings, tell });
    if (smell) problems.push(problem(smell.code, smell.message, [...path]));
  });
  return problems;
}

type Sight = { prompt: Prompt; sayings: readonly Saying[]; tell: ProblemWords };

function findTextSmell(text: string, path: Path, { prompt, sayings, tell }: Sight): Smell | null {
  if (isPlaceholder(text, path, prompt)) return { code: "placeholder", message: tell.placeholder(text) };
  if (repeatsExample(text, sayings, prompt)) return { code: "example", message: tell.repeatsExample() };
  const isEchoed = text.length >= minEcho && isInstruction(text, prompt);
  return isEchoed ? { code: "echo", message: tell.repeatsInstructions() } : null;
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
