import * as z from "zod";
import { fillIn, type FrameWords, frameOf } from "../contract/frame-words.ts";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";

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

/** What a schema found wrong, in the language of a prompt; its own English words where nothing else is known. */
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

/** A problem with the field that it is about. */
export function describeProblem({ path, message }: Pick<Problem, "path" | "message">): string {
  return path === undefined || path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`;
}
