import { readFileSync } from "node:fs";
import type * as z from "zod";
import type { ParleyError } from "../contract/error.ts";
import { type PromptLanguage, promptLanguages } from "../contract/prompt.ts";
import type { Repair, TurnContext } from "../engine/player.ts";
import { describeProblem } from "../engine/problem-words.ts";
import { buildJsonSchema, renderBlock } from "../engine/prompt.ts";
import { isRecord } from "../text/json.ts";
import {
  createFailure,
  createTimeoutFailure,
  type FailedCall,
  findOversize,
  type OversizeAnswer,
} from "./endpoint-fetch.ts";
import type { CallOptions, LanguageModel, Messages, ModelUsage, StreamPart, Traits } from "./providers.ts";
import type { ToolCall } from "./sdk-player.ts";
import { createInterruption } from "./with-retry.ts";

type Schema = Record<string, unknown>;

/** A reply's schema as it is sent: natively in the subset that all strict modes take, or whole as text. */
export type ReplySchema = { strict: Schema; strictBytes: number; text: string };

const made = new WeakMap<z.ZodType, ReplySchema>();

/** The schema of a reply in both forms, made once per schema. */
export function buildReplySchema(reply: z.ZodType): ReplySchema {
  let known = made.get(reply);
  if (known === undefined) {
    const whole = buildJsonSchema(reply);
    const strict = makeStrictSchema(whole);
    known = { strict, strictBytes: Buffer.byteLength(JSON.stringify(strict)), text: JSON.stringify(closed(whole)) };
    made.set(reply, known);
  }
  return known;
}

/** What every provider's structured output takes; all else is left out, since one that refuses it refuses the whole call. */
const shared = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "description",
  "$ref",
  "$defs",
]);

/** Limits that are left out but said in words: the model reads them, the engine checks them on the reply. */
const worded = [
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
];

/**
 * The schema in the subset of JSON schema that all providers' strict modes share: every object is closed and requires every key
 * (one that may be missing may be null instead), no limits.
 */
export function makeStrictSchema(schema: Schema): Schema {
  return mapSchema(schema, (node) => {
    if (node.$ref !== undefined) return pickKeywords(node, (keyword) => keyword === "$ref" || keyword === "$defs");
    const kept = pickKeywords(node, (keyword) => shared.has(keyword));
    if (Array.isArray(node.oneOf)) kept.anyOf = node.oneOf;
    const limits = worded
      .filter((keyword) => keyword in node && !isTypeLimit(node[keyword]))
      .map((keyword) => `${keyword} ${JSON.stringify(node[keyword])}`);
    if (limits.length > 0) kept.description = [node.description, `(${limits.join(", ")})`].filter(Boolean).join(" ");
    return requireAll(kept);
  });
}

/** The bounds of safe integers say nothing that "integer" does not. */
function isTypeLimit(limit: unknown): boolean {
  return limit === Number.MAX_SAFE_INTEGER || limit === Number.MIN_SAFE_INTEGER;
}

function pickKeywords(node: Schema, isKept: (keyword: string) => boolean): Schema {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => isKept(keyword)));
}

function closed(schema: Schema): Schema {
  const { $schema: _, ...rest } = mapSchema(schema, requireAll);
  return rest;
}

/** Closes an object and requires all its keys, in the order in which they are to be written. */
function requireAll(node: Schema): Schema {
  if (node.type !== "object") return node;
  const { additionalProperties = false } = node;
  if (!isRecord(node.properties)) return { ...node, additionalProperties };
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  const properties = Object.fromEntries(
    Object.entries(node.properties).map(([key, part]) => [key, required.has(key) ? part : orNull(part)]),
  );
  return { ...node, properties, required: Object.keys(properties), additionalProperties };
}

/** The schema, or null for a key that has nothing to say. */
function orNull(part: unknown): unknown {
  return takesNull(part) ? part : { anyOf: [part, { type: "null" }] };
}

/** True when null fits the schema. */
export function takesNull(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (Array.isArray(part.anyOf)) return part.anyOf.some(takesNull);
  return [part.type].flat().includes("null");
}

/** Rebuilds a schema from the inside out; only places that hold schemas are visited, so data is never mistaken for one. */
function mapSchema(schema: Schema, change: (node: Schema) => Schema): Schema {
  const inner = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (schemaMaps.has(keyword) && isRecord(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part, change)]))];
    if (schemaLists.has(keyword) && Array.isArray(value)) return [keyword, value.map((part) => visit(part, change))];
    return [keyword, schemaPlaces.has(keyword) ? visit(value, change) : value];
  });
  return change(Object.fromEntries(inner));
}

const schemaMaps = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemaPlaces = new Set(["items", "additionalProperties", "not", "contains"]);

function visit(value: unknown, change: (node: Schema) => Schema): unknown {
  return isRecord(value) ? mapSchema(value, change) : value;
}

/** What the players add to a role's prompt, in one language. */
type Additions = { replyFormat: string; repairOpening: string; repairClosing: string } & Marks;

type Marks = { problems: string; empty: string; leftOut(count: number): string };

const marks: Record<PromptLanguage, Marks> = {
  en: { problems: "PROBLEMS", empty: "(empty)", leftOut: (count) => `… ${count} characters left out …` },
  id: { problems: "MASALAH", empty: "(kosong)", leftOut: (count) => `… ${count} huruf dilewati …` },
  ko: { problems: "문제", empty: "(비어 있음)", leftOut: (count) => `… ${count}자 생략 …` },
};

const additions = Object.fromEntries(promptLanguages.map((language) => [language, readAdditions(language)])) as Record<
  PromptLanguage,
  Additions
>;

/** Messages with the bytes of text they hold. */
export type SizedMessages = { messages: Messages; bytes: number };

/** The prompt as messages: instructions, shared blocks, own blocks, and in a repair the last reply and its problems. */
export function buildMessages(
  { prompt, rendered, repair }: Pick<TurnContext, "prompt" | "rendered" | "repair">,
  traits: Traits,
  schemaText: string,
): SizedMessages {
  const { system, shared, own } = rendered;
  const added = additions[prompt.language ?? "en"];
  const format = traits.schemaInPrompt ? [`${added.replyFormat}\n${schemaText}\n`] : [];
  const parts = [...shared, ...own, ...format];
  const messages: Messages =
    parts.length === 0
      ? [{ role: "user", content: [{ type: "text", text: system }] }]
      : [
          { role: "system", content: system },
          { role: "user", content: contentOf(parts, shared.length, traits) },
        ];
  if (repair !== null) messages.push(...repairMessages(repair, added));
  return { messages, bytes: countBytes(messages) };
}

/** Tokens are never more than bytes, plus what a chat template adds around each message. */
function countBytes(messages: Messages): number {
  let bytes = 0;
  for (const { content } of messages) {
    bytes += templateBytes;
    if (typeof content === "string") bytes += Buffer.byteLength(content);
    else for (const part of content) if (part.type === "text") bytes += Buffer.byteLength(part.text);
  }
  return bytes;
}

const templateBytes = 64;

type UserContent = Extract<Messages[number], { role: "user" }>["content"];

function contentOf(parts: string[], sharedCount: number, traits: Traits): UserContent {
  if (traits.cacheHint === null) return [{ type: "text", text: parts.join("\n") }];
  return parts.map((text, index) => ({
    type: "text",
    text,
    ...(index === sharedCount - 1 && traits.cacheHint !== null ? { providerOptions: traits.cacheHint } : {}),
  }));
}

function repairMessages({ raw, problems }: Repair, added: Additions): Messages {
  const { repairOpening, repairClosing } = added;
  const list = renderBlock({
    label: added.problems,
    text: problems.map((problem) => `- ${describeProblem(problem)}`).join("\n"),
  });
  return [
    { role: "assistant", content: [{ type: "text", text: quoteReply(raw, added) }] },
    { role: "user", content: [{ type: "text", text: `${repairOpening}\n${list}\n${repairClosing}` }] },
  ];
}

/** Providers refuse an empty assistant message, and chat templates two user messages in a row. Of a long reply its head and tail will do. */
function quoteReply(raw: string, { empty, leftOut }: Marks): string {
  if (raw.trim() === "") return empty;
  const left = raw.length - quotedHead - quotedTail;
  if (left <= 0) return raw;
  const [head, tail] = [raw.slice(0, quotedHead).toWellFormed(), raw.slice(-quotedTail).toWellFormed()];
  return `${head}\n${leftOut(left)}\n${tail}`;
}

const quotedHead = 6_000;
const quotedTail = 2_000;

function readAdditions(language: PromptLanguage): Additions {
  const read = (name: string): string => readPrompt(language === "en" ? name : `${name}.${language}`);
  const texts = { replyFormat: read("reply-format"), repairOpening: read("repair"), repairClosing: read("repair-end") };
  return { ...texts, ...marks[language] };
}

function readPrompt(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trim();
}

/** A model's reply as it came: the text, whatever it is worth. */
export type Reply = { text: string; finish: string; usage: ModelUsage; toolCalls: ToolCall[] };

/** How long a call may take, and who may stop it. */
export type Patience = { signal: AbortSignal; totalMs: number; chunkMs: number };

/** Makes one HTTP call and waits for the whole reply. */
export function generateReply(model: LanguageModel, options: CallOptions, call: FailedCall, patience: Patience) {
  return withPatience<Reply>(patience, call, async (abortSignal) => {
    const result = await model.doGenerate({ ...options, abortSignal }).then(undefined, keepOversize);
    if ("read" in result) return cutReply(result.read);
    const text =
      result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const toolCalls = result.content.flatMap((part) =>
      part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
    );
    const toolInputs = toolCalls.map(({ input }) => input);
    const reasoned = result.content.some((part) => part.type === "reasoning");
    const refusal = findRefusal(result.response?.body, "message");
    const said = { text, toolInputs, reasoned, refusal };
    return { ...settleReply(said, result.finishReason.unified, result.usage), toolCalls };
  });
}

/** Makes one HTTP call and passes the text on as it arrives. */
export function streamReply(
  model: LanguageModel,
  options: CallOptions,
  call: FailedCall,
  patience: Patience & { onText(text: string): void },
) {
  return withPatience<Reply>(patience, call, async (abortSignal, heard) => {
    const headers = { accept: "text/event-stream" };
    const { stream } = await model.doStream({ ...options, headers, includeRawChunks: true, abortSignal });
    const said: Said = { text: "", toolInputs: [], reasoned: false, refusal: "" };
    let end: Pick<Reply, "finish" | "usage"> | null = null;
    try {
      for await (const part of stream) {
        heard();
        if (part.type === "text-delta") {
          said.text += part.delta;
          patience.onText(part.delta);
        } else if (part.type === "error") throw part.error;
        else if (part.type === "finish") end = { finish: part.finishReason.unified, usage: part.usage };
        else hear(said, part);
      }
    } catch (error) {
      keepOversize(error);
      return cutReply(said.text);
    }
    if (end === null) throw new Error("the stream ended before the reply did");
    return settleReply(said, end.finish, end.usage);
  });
}

/** An answer past its size is a reply that was cut; any other trouble goes on. */
function keepOversize(error: unknown): OversizeAnswer {
  const oversize = findOversize(error);
  if (oversize === null) throw error;
  return oversize;
}

/** A reply that was cut off after this text; its cost is unknown. */
function cutReply(text: string): Reply {
  const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage: ModelUsage = {
    inputTokens: unknown,
    outputTokens: { ...unknown, text: undefined, reasoning: undefined },
  };
  return { text, finish: "oversize", usage, toolCalls: [] };
}

/** What a model gave, besides its text: calls of tools that nobody offered, reasoning, a refusal. */
type Said = { text: string; toolInputs: string[]; reasoned: boolean; refusal: string };

function hear(said: Said, part: StreamPart): void {
  if (part.type === "tool-call") said.toolInputs.push(part.input);
  else if (part.type === "reasoning-delta") said.reasoned = true;
  else if (part.type === "raw") said.refusal += findRefusal(part.rawValue, "delta");
}

/**
 * The reply that comes of it. A model that answers by calling a tool has answered with its arguments; one that refused, or only
 * reasoned, has not answered.
 */
function settleReply({ text, toolInputs, reasoned, refusal }: Said, finish: string, usage: ModelUsage): Reply {
  if (refusal !== "" && (text.trim() === "" || text === refusal))
    return { text: refusal, finish: "content-filter", usage, toolCalls: [] };
  if (text.trim() !== "") return { text, finish, usage, toolCalls: [] };
  const [input] = toolInputs;
  if (input !== undefined && toolInputs.length === 1) return { text: input, finish, usage, toolCalls: [] };
  return { text, finish: reasoned && finish !== "length" ? "reasoning-only" : finish, usage, toolCalls: [] };
}

/** The refusal in an answer of the chat API, which not every SDK passes on. */
function findRefusal(body: unknown, place: "message" | "delta"): string {
  const choice = (body as { choices?: Record<string, { refusal?: unknown }>[] } | null | undefined)?.choices?.[0];
  const refusal = choice?.[place]?.refusal;
  return typeof refusal === "string" ? refusal : "";
}

/** Runs a call under its timeouts and the turn's signal; `heard` says that the endpoint is still talking. */
export async function withPatience<T>(
  patience: Patience,
  call: FailedCall,
  work: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let late: ParleyError | null = null;
  const expire = (ms: number, waitingFor: string) => (): void => {
    late = createTimeoutFailure(call, ms, waitingFor);
    stop.abort(late);
  };
  const abort = (): void => stop.abort(patience.signal.reason);
  const total = setTimeout(expire(patience.totalMs, "complete answer"), patience.totalMs);
  let silence: NodeJS.Timeout | null = null;
  const heard = (): void => {
    if (silence === null) silence = setTimeout(expire(patience.chunkMs, "further text"), patience.chunkMs);
    else silence.refresh();
  };
  patience.signal.addEventListener("abort", abort, { once: true });
  try {
    return await work(stop.signal, heard);
  } catch (error) {
    if (patience.signal.aborted) throw createInterruption(patience.signal);
    throw late ?? createFailure(call, error);
  } finally {
    clearTimeout(total);
    if (silence !== null) clearTimeout(silence);
    patience.signal.removeEventListener("abort", abort);
  }
}
