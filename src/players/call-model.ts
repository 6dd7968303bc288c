import type { ParleyError } from "../contract/error.ts";
import { createInterruption } from "./with-retry.ts";
import { createFailure, createTimeoutFailure, type FailedCall } from "./endpoint-failure.ts";
import { findOversize, type OversizeAnswer } from "./endpoint-fetch.ts";
import type { ToolCall } from "./tools.ts";
import type { CallOptions, LanguageModel, ModelUsage, StreamPart } from "./providers.ts";

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

/** The reply of which only this was read; what it cost is not known. */
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
