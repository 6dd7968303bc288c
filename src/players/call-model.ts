import type * as z from "zod";
import type { ParleyError } from "../contract/error.ts";
import { fillIn, frameOf, type FrameWords } from "../contract/frame-words.ts";
import type { Repair, TurnContext } from "../engine/player.ts";
import { buildJsonSchema, renderBlock } from "../engine/prompt.ts";
import { isRecord } from "../text/json.ts";
import { createFailure, createTimeoutFailure, type FailedCall } from "./endpoint-fetch.ts";
import type { CallOptions, LanguageModel, Messages, ModelUsage, StreamPart, Traits } from "./providers.ts";
import { createInterruption } from "./with-retry.ts";
import { describeProblem } from "../contract/turn.ts";

type Schema = Record<string, unknown>;

type ReplySchema = { strict: Schema; strictBytes: number; text: string };

const made = new WeakMap<z.ZodType, ReplySchema>();

export function buildReplySchema(reply: z.ZodType): ReplySchema {
  let known = made.get(reply);
  if (known === undefined) {
    const whole = buildJsonSchema(reply);
    const strict = makeStrictSchema(whole);
    known = {
      strict,
      strictBytes: Buffer.byteLength(JSON.stringify(strict)),
      text: JSON.stringify(mapSchema({ ...whole, $schema: undefined }, requireAll)),
    };
    made.set(reply, known);
  }
  return known;
}

/** Keywords that every provider's structured output accepts. Others are dropped, since one refused keyword fails the whole call. */
const shared = new Set(
  "type properties required additionalProperties items anyOf enum const description $ref $defs".split(" "),
);
/** Keywords dropped silently. Other dropped ones are limits, described to the model and checked by the engine. */
const unsaid = new Set(["$schema", "oneOf", "allOf", "default", "title", "examples"]);

/** The schema in the subset that all strict modes share: closed objects, all keys required (nullable instead of optional), no limits. */
export function makeStrictSchema(schema: Schema): Schema {
  return mapSchema(schema, (node) => {
    const entries = Object.entries(node);
    if (node.$ref !== undefined)
      return Object.fromEntries(entries.filter(([key]) => key === "$ref" || key === "$defs"));
    const kept: Schema = Object.fromEntries(entries.filter(([key]) => shared.has(key)));
    if (Array.isArray(node.oneOf)) kept.anyOf = node.oneOf;
    const limits = entries
      .filter(([key, limit]) => !shared.has(key) && !unsaid.has(key) && !isTypeLimit(limit))
      .map(([key, limit]) => `${key} ${JSON.stringify(limit)}`);
    if (limits.length > 0) kept.description = [node.description, `(${limits.join(", ")})`].filter(Boolean).join(" ");
    return requireAll(kept);
  });
}

function isTypeLimit(limit: unknown): boolean {
  return limit === Number.MAX_SAFE_INTEGER || limit === Number.MIN_SAFE_INTEGER;
}

function requireAll(node: Schema): Schema {
  if (node.type !== "object") return node;
  const { additionalProperties = false } = node;
  if (!isRecord(node.properties)) return { ...node, additionalProperties };
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  const properties = Object.fromEntries(
    Object.entries(node.properties).map(([key, part]) => [
      key,
      required.has(key) || takesNull(part) ? part : { anyOf: [part, { type: "null" }] },
    ]),
  );
  return { ...node, properties, required: Object.keys(properties), additionalProperties };
}

export function takesNull(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (Array.isArray(part.anyOf)) return part.anyOf.some(takesNull);
  return [part.type].flat().includes("null");
}

const schemaMaps = new Set(["properties", "$defs"]);
const schemaPlaces = new Set("items additionalProperties not contains anyOf oneOf allOf prefixItems".split(" "));

/** Rebuilds a schema from the inside out, visiting only places that hold schemas, so data is never mistaken for one. */
function mapSchema(schema: Schema, change: (node: Schema) => Schema): Schema {
  const visit = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(visit) : isRecord(value) ? mapSchema(value, change) : value;
  const visitAll = (map: object) => Object.fromEntries(Object.entries(map).map(([name, part]) => [name, visit(part)]));
  const inner = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (schemaMaps.has(keyword) && isRecord(value)) return [keyword, visitAll(value)];
    return [keyword, schemaPlaces.has(keyword) ? visit(value) : value];
  });
  return change(Object.fromEntries(inner));
}

type SizedMessages = { messages: Messages; bytes: number };

/** The prompt as messages: instructions, shared blocks, own blocks, and for a repair the last reply with its problems. */
export function buildMessages(
  { prompt, rendered, repair }: Pick<TurnContext, "prompt" | "rendered" | "repair">,
  traits: Traits,
  schemaText: string,
): SizedMessages {
  const { system, shared, own } = rendered;
  const { replyForm: added } = frameOf(prompt.language ?? "en");
  const format = traits.schemaInPrompt ? [`${added.format}\n${schemaText}\n`] : [];
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

/** An upper bound on tokens: bytes, plus the chat template around each message. */
function countBytes(messages: Messages): number {
  const sizes = messages.map(({ content }) => {
    const texts =
      typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
    return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), templateBytes);
  });
  return sizes.reduce((all, bytes) => all + bytes, 0);
}

const templateBytes = 64;

type UserContent = Extract<Messages[number], { role: "user" }>["content"];

function contentOf(parts: string[], sharedCount: number, { cacheHint }: Traits): UserContent {
  if (cacheHint === null) return [{ type: "text", text: parts.join("\n") }];
  return parts.map((text, index) => ({
    type: "text",
    text,
    ...(index === sharedCount - 1 && { providerOptions: cacheHint }),
  }));
}

function repairMessages({ raw, problems }: Repair, added: FrameWords["replyForm"]): Messages {
  const list = renderBlock({
    label: added.problems,
    text: problems.map((problem) => `- ${describeProblem(problem)}`).join("\n"),
  });
  return [
    { role: "assistant", content: [{ type: "text", text: quoteReply(raw, added) }] },
    { role: "user", content: [{ type: "text", text: `${added.unusable}\n${list}\n${added.again}` }] },
  ];
}

/** Providers refuse an empty assistant message, and chat templates two user messages in a row. A long reply is cut in the middle. */
function quoteReply(raw: string, { empty, leftOut }: FrameWords["replyForm"]): string {
  if (raw.trim() === "") return empty;
  const left = raw.length - quotedHead - quotedTail;
  if (left <= 0) return raw;
  const [head, tail] = [raw.slice(0, quotedHead).toWellFormed(), raw.slice(-quotedTail).toWellFormed()];
  return `${head}\n${fillIn(leftOut, { count: left })}\n${tail}`;
}

const quotedHead = 6_000;
const quotedTail = 2_000;

export type Reply = { text: string; finish: string; usage: ModelUsage };

export type Patience = { signal: AbortSignal; totalMs: number; chunkMs: number };

export function generateReply(model: LanguageModel, options: CallOptions, call: FailedCall, patience: Patience) {
  return withPatience<Reply>(patience, call, async (abortSignal) => {
    const result = await model.doGenerate({ ...options, abortSignal });
    const text =
      result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const toolInputs = result.content.flatMap((part) => (part.type === "tool-call" ? [part.input] : []));
    const reasoned = result.content.some((part) => part.type === "reasoning");
    const refusal = findRefusal(result.response?.body, "message");
    const said = { text, toolInputs, reasoned, refusal };
    return settleReply(said, result.finishReason.unified, result.usage);
  });
}

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
    for await (const part of stream) {
      heard();
      if (part.type === "text-delta") {
        said.text += part.delta;
        patience.onText(part.delta);
      } else if (part.type === "error") throw part.error;
      else if (part.type === "finish") end = { finish: part.finishReason.unified, usage: part.usage };
      else hear(said, part);
    }
    if (end === null) throw new Error("the stream ended before the reply did");
    return settleReply(said, end.finish, end.usage);
  });
}

type Said = { text: string; toolInputs: string[]; reasoned: boolean; refusal: string };

function hear(said: Said, part: StreamPart): void {
  if (part.type === "tool-call") said.toolInputs.push(part.input);
  else if (part.type === "reasoning-delta") said.reasoned = true;
  else if (part.type === "raw") said.refusal += findRefusal(part.rawValue, "delta");
}

/** Builds the reply. Arguments of tool calls count as an answer; a refusal or mere reasoning does not. */
function settleReply({ text, toolInputs, reasoned, refusal }: Said, finish: string, usage: ModelUsage): Reply {
  if (text.trim() !== "") return { text, finish, usage };
  if (refusal !== "") return { text: refusal, finish: "content-filter", usage };
  if (toolInputs.length > 0) return { text: toolInputs.join("\n"), finish, usage };
  return { text, finish: reasoned && finish !== "length" ? "reasoning-only" : finish, usage };
}

/** The refusal in a chat API answer, which some SDKs drop. */
function findRefusal(body: unknown, place: "message" | "delta"): string {
  const choice = (body as { choices?: Record<string, { refusal?: unknown }>[] } | null | undefined)?.choices?.[0];
  const refusal = choice?.[place]?.refusal;
  return typeof refusal === "string" ? refusal : "";
}

/** Runs a call under its timeouts and the turn's signal; call `heard` whenever the endpoint sends something. */
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
