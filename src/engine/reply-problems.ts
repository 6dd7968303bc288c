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
  const given = raw.trim();
  if (given.length >= minEcho && (rendered.system.includes(given) || rendered.own.join("\n").includes(given)))
    add("echo", tell("repeatsPrompt"), []);
  const sayings = listExampleSayings(prompt);
  visitStrings(value, [], (text, path) => {
    const said = ` ${loosen(text)} `;
    const copied = sayings.filter(({ words }) => said.includes(` ${words} `));
    if (looksLikePlaceholder(text.trim(), path) && !isInData(text.trim()))
      add("placeholder", tell("placeholder", { text }), path);
    else if (copied.some(({ words }) => !isInData(words, loosen))) add("example", tell("repeatsExample"), path);
    else if (text.length >= minEcho && isInstruction(text, prompt) && !isInData(text))
      add("echo", tell("repeatsInstructions"), path);
  });
  return problems;
}

const minEcho = 60;

/** Whether a text stands in what the organisers wrote: the instructions, or a speaker's own task. */
function isInstruction(text: string, { instructions, own }: Prompt): boolean {
  return instructions.includes(text) || own.some((block) => "text" in block && block.text.includes(text));
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
export function listExampleSayings({ instructions, own }: Prompt): { text: string; words: string }[] {
  return [instructions, ...own.flatMap((block) => ("text" in block ? [block.text] : []))].flatMap(readSayings);
}

/** Instructions and tasks are the same turn after turn. */
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

export function problemWords(language: PromptLanguage = "en"): Tell {
  const { problems } = frameOf(language);
  return (phrase, values = {}) => fillIn(problems[phrase], values);
}

const locales = { id: z.locales.id().localeError, ko: z.locales.ko().localeError };

/** How a schema is to say what is wrong with a value, in the language of a prompt. */
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

/** What is to be written at a place of a JSON schema, as short as it can be said in any language. */
export function expectAt(schema: Record<string, unknown>, path: readonly (string | number)[]): string {
  const node = path.reduce<Record<string, unknown>>((at, key) => {
    const open = pickShape(at);
    const inner =
      typeof key === "number" ? open.items : (open.properties as Record<string, unknown> | undefined)?.[key];
    return (inner ?? {}) as Record<string, unknown>;
  }, schema);
  return describeShape(pickShape(node));
}

/** Of a shape that may be null, the shape. */
function pickShape(node: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(node.type)) return { ...node, type: node.type.find((type) => type !== "null") as unknown };
  const branches = (node.anyOf ?? node.oneOf) as Record<string, unknown>[] | undefined;
  return branches?.find(({ type }) => type !== "null") ?? node;
}

function describeShape(node: Record<string, unknown>): string {
  if (Array.isArray(node.enum)) return node.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.type === "array") return "`[]`";
  if (node.type === "object") return "`{…}`";
  if (node.type === "string") return '`"…"`';
  if (node.type === "boolean") return "`true` | `false`";
  if (node.type !== "number" && node.type !== "integer") return "JSON";
  const [from, to] = [node.minimum, node.maximum].map(Number).filter((limit) => Math.abs(limit) < 1e9);
  return to === undefined ? "`0`" : `\`${from}\` … \`${to}\``;
}
