import type { Prompt, PromptLanguage } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";
import { remember } from "../text/remember.ts";
import type { Request } from "./prompt.ts";
import * as z from "zod";
import { fillIn, type FrameWords, frameOf } from "../contract/frame-words.ts";

/** What a player was told, as blocks and as text. */
export type Told = Pick<Request, "prompt" | "rendered">;

type Path = (string | number)[];

/** Replies that fit the schema and still say nothing: placeholders, echoes of the prompt, what its worked examples say. */
export function findReplySmells(raw: string, value: unknown, { prompt, rendered }: Told): Problem[] {
  const tell = problemWords(prompt.language);
  const problems: Problem[] = [];
  const add = (code: string, message: string, path: Path): void => {
    problems.push({ code, message, severity: "reject", path });
  };
  const isInData = (text: string, read = (shown: string): string => shown): boolean =>
    prompt.blocks.some((block) => read("text" in block ? block.text : JSON.stringify(block.json)).includes(text));
  const isWritten = (text: string): boolean => listWritten(prompt).some((written) => written.includes(text));
  const given = raw.trim();
  if (given.length >= minEcho && (rendered.system.includes(given) || rendered.own.join("\n").includes(given)))
    add("echo", tell("repeatsPrompt"), []);
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const fitting = sayings.filter(({ words }) => words.length <= text.length);
    const said = fitting.length > 0 ? ` ${loosen(text)} ` : "";
    const copied = fitting.filter(({ words }) => said.includes(` ${words} `));
    if (looksLikePlaceholder(text.trim(), path) && !isInData(text.trim()))
      add("placeholder", tell("placeholder", { text }), path);
    else if (copied.some(({ words }) => !isInData(words, loosen))) add("example", tell("repeatsExample"), path);
    else if (text.length >= minEcho && isWritten(text) && !isInData(text))
      add("echo", tell("repeatsInstructions"), path);
  });
  return problems;
}

const minEcho = 60;

/** What the organisers wrote: the instructions, and a speaker's own task. */
function listWritten({ instructions, own }: Prompt): string[] {
  return [instructions, ...own.flatMap((block) => ("text" in block ? [block.text] : []))];
}

const placeholderPattern = /^(?:<[a-z][a-z0-9 _|,./-]*>|\.{3}|…|\{\{?[a-z_ ]+\}?\}|your [a-z ]+ here|lorem ipsum.*)$/i;

function looksLikePlaceholder(text: string, path: Path): boolean {
  const key = path.findLast((part) => typeof part === "string");
  return placeholderPattern.test(text) || text === "string" || (text === key && key.length > 4);
}

function visitStrings(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === "string") return visit(value, path);
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value))
    visitStrings(inner, [...path, key], visit);
}

/** Letter case, spaces and marks do not make a copy one's own words. */
function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * What the worked examples of a prompt say: the quoted texts of at least three words under each heading that begins with
 * "Example", "Contoh" or "예시", in what the organisers wrote. Shorter ones are keys, ids and choices, which a reply may share.
 */
export function listExampleSayings(prompt: Prompt): { text: string; words: string }[] {
  return listWritten(prompt).flatMap(readSayings);
}

const readSayings = remember(256, (written) => {
  const quoted = listExamples(written).flatMap((example) => [...example.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)]);
  const sayings = quoted.map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1").trim());
  const long = [...new Set(sayings)].filter((text) => text.split(/\s+/).length >= 3);
  return long.map((text) => ({ text, words: loosen(text) }));
});

/** The sections of a text that are examples, each up to the next heading. */
export function listExamples(text: string): string[] {
  const sections = ` \n${text}`.split(/\n#{1,6}[ \t]+/).slice(1);
  return sections
    .filter((section) => /^(?:example|contoh|예시)/iu.test(section))
    .map((section) => section.replace(/^.*\n?/, "").trim());
}

/** Says what is wrong with a reply to whoever gave it, in the language of its prompt. */
export type Tell = (phrase: keyof FrameWords["problems"], values?: Record<string, string | number>) => string;

/** The words for problems in a language. */
export function problemWords(language: PromptLanguage = "en"): Tell {
  const { problems } = frameOf(language);
  return (phrase, values = {}) => fillIn(problems[phrase], values);
}

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

/** Makes a schema explain itself in the language of a prompt. */
export function localeOf(language: PromptLanguage): Parameters<z.ZodType["safeParse"]>[1] {
  return language === "en" ? {} : { error: locales[language] };
}

/** A schema's complaint in the language of the prompt, or in English if there is no translation. */
export function sayIssue(issue: z.core.$ZodIssue, language: PromptLanguage): string {
  const { limit = "", most = 0 } = issue.code === "custom" ? ((issue.params ?? {}) as Limit) : {};
  const phrase = frameOf(language).limits[limit];
  return phrase === undefined ? issue.message : fillIn(phrase, { most });
}

type Limit = { limit?: string; most?: number };

/** The JSON schema at a place of a reply, without what a reader can do without. */
export function expectAt(schema: Record<string, unknown>, path: readonly (string | number)[]): string {
  type Node = { items?: Node; properties?: Record<string, Node>; anyOf?: Node[]; type?: string; enum?: unknown[] };
  const solid = (node: Node): Node => node.anyOf?.find(({ type }) => type !== "null") ?? node;
  const step = (node: Node, key: string | number): Node =>
    (typeof key === "number" ? solid(node).items : solid(node).properties?.[key]) ?? {};
  const { type = "JSON", enum: choices } = solid(path.reduce(step, schema as Node));
  return choices ? choices.map((one) => JSON.stringify(one)).join(" | ") : `\`${type}\``;
}
