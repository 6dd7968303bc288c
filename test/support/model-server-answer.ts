import type { ServerResponse } from "node:http";

/** A chat-completions request as it came over the wire. */
export type ChatRequest = {
  model: string;
  messages: { role: string; content: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  response_format?: { type: string; json_schema?: { name?: string; strict?: boolean; schema?: unknown } };
  max_tokens?: number;
  max_completion_tokens?: number;
  seed?: number;
  temperature?: number;
};

export type WireUsage = { prompt: number; completion: number; cached?: number; reasoning?: number };

/** What the server does with one request. Nothing set is an empty reply that finished properly. */
export type Answer = {
  /** The message's text; `value` is the same as JSON. */
  content?: string | null;
  value?: unknown;
  refusal?: string;
  /** What a reasoning model thought, beside its content. */
  reasoning?: string;
  /** The reply as the arguments of a tool that nobody offered. */
  toolCall?: { name: string; arguments: string };
  finishReason?: string;
  role?: string;
  /** Null leaves the usage out. */
  usage?: WireUsage | null;
  latencyMs?: number;
  chunkDelayMs?: number;
  contentType?: string;
  /** Sent instead of a completion. */
  raw?: { status: number; headers?: Record<string, string>; body: string };
  /** Stops for good at this point of the response, with the connection open (`hang`) or torn down (`reset`). */
  stop?: { how: "hang" | "reset"; at: "headers" | "body" };
};

/** The text of all messages, for matching and for counting. */
export function textOfRequest(request: ChatRequest): string {
  return request.messages.map((message) => contentText(message.content)).join("\n");
}

/** Whether a prompt of the question pack is the judge's: it alone asks which answer wins. */
export function asksJudge(text: string): boolean {
  return text.includes("`winner`");
}

/** What a judge of the question pack replies who follows the first side: its answer of the last round. */
export function followFirst(text: string, reasoning: string): object {
  const shown = [...text.matchAll(/ANSWER 1\]\s*`+json\s*(\{.*\})/g)].at(-1)?.[1];
  const { answer } = JSON.parse(shown ?? "{}") as { answer?: string };
  return { reasoning, winner: 1, answer: answer ?? null, confidence: 0.6 };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("\n");
}

/** Writes the answer; resolves when there is nothing more to write. */
export async function writeAnswer(response: ServerResponse, request: ChatRequest, answer: Answer): Promise<void> {
  if (answer.latencyMs !== undefined) await pause(answer.latencyMs, response);
  if (response.destroyed || stopAt(response, answer, "headers")) return;
  if (answer.raw !== undefined) {
    response.writeHead(answer.raw.status, { "content-type": "application/json", ...answer.raw.headers });
    response.end(answer.raw.body);
  } else if (request.stream === true) await writeStream(response, request, answer);
  else await writeCompletion(response, request, answer);
}

async function writeCompletion(response: ServerResponse, request: ChatRequest, answer: Answer): Promise<void> {
  const message = {
    role: answer.role ?? "assistant",
    content: answer.refusal === undefined ? textOf(answer) : null,
    ...(answer.refusal === undefined ? {} : { refusal: answer.refusal }),
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...toolCallsOf(answer),
  };
  const body = JSON.stringify({
    id: "chatcmpl-loopback",
    object: "chat.completion",
    created: 1,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: answer.finishReason ?? "stop" }],
    ...usageOf(request, answer),
  });
  response.writeHead(200, { "content-type": answer.contentType ?? "application/json" });
  if (answer.stop !== undefined) {
    await send(response, body.slice(0, Math.floor(body.length / 2)));
    stopAt(response, answer, "body");
  } else response.end(body);
}

async function writeStream(response: ServerResponse, request: ChatRequest, answer: Answer): Promise<void> {
  response.writeHead(200, { "content-type": answer.contentType ?? "text/event-stream" });
  const pieces = (answer.refusal ?? textOf(answer) ?? "").match(/[^]{1,12}/gu) ?? [];
  const field = answer.refusal === undefined ? "content" : "refusal";
  const kept = answer.stop === undefined ? pieces : pieces.slice(0, Math.ceil(pieces.length / 2));
  await send(response, chunk(request, { role: answer.role ?? "assistant", content: "" }));
  if (answer.reasoning !== undefined) await send(response, chunk(request, { reasoning_content: answer.reasoning }));
  if (answer.toolCall !== undefined) await send(response, chunk(request, toolCallsOf(answer)));
  for (const piece of kept) {
    if (response.destroyed) return;
    await send(response, chunk(request, { [field]: piece }));
    if (answer.chunkDelayMs !== undefined) await pause(answer.chunkDelayMs, response);
  }
  if (stopAt(response, answer, "body")) return;
  await send(response, chunk(request, {}, answer.finishReason ?? "stop"));
  const usage = usageOf(request, answer);
  if (request.stream_options?.include_usage === true && "usage" in usage) {
    await send(response, `data: ${JSON.stringify({ ...chunkHead(request), choices: [], ...usage })}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

function chunk(request: ChatRequest, delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...chunkHead(request), choices })}\n\n`;
}

function toolCallsOf({ toolCall }: Answer): object {
  if (toolCall === undefined) return {};
  return { tool_calls: [{ index: 0, id: "call_loopback", type: "function", function: toolCall }] };
}

function chunkHead(request: ChatRequest): object {
  return { id: "chatcmpl-loopback", object: "chat.completion.chunk", created: 1, model: request.model };
}

function textOf(answer: Answer): string | null {
  if (answer.value !== undefined) return JSON.stringify(answer.value);
  return answer.content === undefined ? "" : answer.content;
}

/** What the model said, refusals included. */
export function textOfAnswer(answer: Answer): string {
  return answer.refusal ?? textOf(answer) ?? "";
}

/** What an answer is billed at: its own figures, or the length of what was asked and said. */
export function usageOfAnswer(request: ChatRequest, answer: Answer): WireUsage {
  return answer.usage ?? { prompt: countTokens(textOfRequest(request)), completion: countTokens(textOfAnswer(answer)) };
}

function usageOf(request: ChatRequest, answer: Answer): object {
  if (answer.usage === null) return {};
  const usage = usageOfAnswer(request, answer);
  return {
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    },
  };
}

/** Tokens as this server counts them: four characters each. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function stopAt(response: ServerResponse, answer: Answer, at: "headers" | "body"): boolean {
  if (answer.stop?.at !== at) return false;
  if (answer.stop.how === "reset") response.socket?.resetAndDestroy();
  return true;
}

function send(response: ServerResponse, text: string): Promise<void> {
  return new Promise((done) => {
    response.write(text, () => done());
  });
}

/** Waits, or returns at once when the client went away. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    response.once("close", finish);
    function finish(): void {
      clearTimeout(timer);
      response.removeListener("close", finish);
      done();
    }
  });
}
