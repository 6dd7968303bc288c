import type { ParleyError } from "../../contract/error.ts";
import { createInterruption } from "../calls/interruption.ts";
import { type FailedCall, createFailure, createTimeoutFailure } from "./endpoint-failure.ts";
import type { CallOptions, LanguageModel, ModelUsage } from "./language-model.ts";

/** A model's reply as it came: the text, whatever it is worth. */
export type Reply = { text: string; finish: string; usage: ModelUsage };

/** How long a call may take, and who may stop it. */
export type Patience = { signal: AbortSignal; totalMs: number; chunkMs: number };

/** Makes one HTTP call and waits for the whole reply. */
export function generateReply(model: LanguageModel, options: CallOptions, call: FailedCall, patience: Patience) {
  return withPatience<Reply>(patience, call, async (abortSignal) => {
    const result = await model.doGenerate({ ...options, abortSignal });
    const text =
      result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { text, finish: result.finishReason.unified, usage: result.usage };
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
    const { stream } = await model.doStream({ ...options, headers, abortSignal });
    const reply: { text: string; end: Omit<Reply, "text"> | null } = { text: "", end: null };
    for await (const part of stream) {
      heard();
      if (part.type === "text-delta") {
        reply.text += part.delta;
        patience.onText(part.delta);
      } else if (part.type === "error") throw part.error;
      else if (part.type === "finish") reply.end = { finish: part.finishReason.unified, usage: part.usage };
    }
    if (reply.end === null) throw new Error("the stream ended before the reply did");
    return { text: reply.text, ...reply.end };
  });
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
