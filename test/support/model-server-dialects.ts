import type { ServerResponse } from "node:http";
import { type Answer, type ChatRequest, textOfAnswer, usageOfAnswer, writeAnswer } from "./model-server-answer.ts";
import { checkAnthropicSchema, checkGoogleSchema, checkOpenAiSchema, type SchemaRule } from "./provider-rules.ts";

/** The API of one provider: how its requests read as chat requests, what schemas it refuses, how it answers. */
export type Dialect = {
  path: RegExp;
  read(body: Body, path: string): ChatRequest;
  rule: SchemaRule;
  refuse(message: string): { status: number; body: string };
  write(response: ServerResponse, request: ChatRequest, answer: Answer): Promise<void>;
};

type Body = Record<string, unknown> & { model?: string };
type Part = { text?: unknown };

const chat: Dialect = {
  path: /\/(?:chat\/completions|embeddings)$/,
  read: (body) => ({
    ...body,
    model: body.model ?? "",
    messages: (body.messages ?? []) as ChatRequest["messages"],
  }),
  rule: checkOpenAiSchema,
  refuse: (message) =>
    refuseAs(400, { error: { message, type: "invalid_request_error", param: "response_format", code: null } }),
  write: writeAnswer,
};

const responses: Dialect = {
  ...chat,
  path: /\/responses$/,
  read(body) {
    const format = (body.text as { format?: Body } | undefined)?.format;
    return {
      model: body.model ?? "",
      messages: listMessages(body.input),
      stream: body.stream === true,
      max_completion_tokens: body.max_output_tokens as number,
      ...askFor(format?.schema, format?.strict === true),
    };
  },
  refuse: (message) =>
    refuseAs(400, {
      error: { message, type: "invalid_request_error", param: "text.format.schema", code: "invalid_json_schema" },
    }),
  async write(response, request, answer) {
    if (await writeRaw(response, request, answer)) return;
    const { prompt, completion, reasoning = 0 } = usageOfAnswer(request, answer);
    const text = textOfAnswer(answer);
    const part =
      answer.refusal === undefined
        ? { type: "output_text", text, annotations: [] }
        : { type: "refusal", refusal: text };
    const item = { type: "message", id: "m", role: "assistant", status: "completed", content: [part] };
    const cut = answer.finishReason === "length";
    const whole = {
      id: "r",
      created_at: 1,
      model: request.model,
      status: cut ? "incomplete" : "completed",
      incomplete_details: cut ? { reason: "max_output_tokens" } : null,
      output: [item],
      usage: {
        input_tokens: prompt,
        output_tokens: completion,
        output_tokens_details: { reasoning_tokens: reasoning },
      },
    };
    if (request.stream !== true) return sendJson(response, whole);
    const heard = answer.refusal === undefined ? "output_text" : "refusal";
    const place = { item_id: "m", output_index: 0, content_index: 0 };
    sendEvents(response, [
      { type: "response.created", response: { id: "r", created_at: 1, model: request.model } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m" } },
      ...inPieces(text).map((delta) => ({ ...place, type: `response.${heard}.delta`, delta })),
      ...(answer.refusal === undefined ? [] : [{ ...place, type: "response.refusal.done", refusal: text }]),
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "m" } },
      { type: cut ? "response.incomplete" : "response.completed", response: whole },
    ]);
  },
};

const anthropic: Dialect = {
  path: /\/messages$/,
  read(body) {
    const format = (body.output_config as { format?: Body } | undefined)?.format;
    return {
      model: body.model ?? "",
      messages: [...listMessages([{ role: "system", content: body.system ?? "" }]), ...listMessages(body.messages)],
      stream: body.stream === true,
      max_tokens: body.max_tokens as number,
      ...askFor(format?.schema, format !== undefined),
    };
  },
  rule: checkAnthropicSchema,
  refuse: (message) =>
    refuseAs(400, { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_loopback" }),
  async write(response, request, answer) {
    if (await writeRaw(response, request, answer)) return;
    const { prompt, completion } = usageOfAnswer(request, answer);
    const text = textOfAnswer(answer);
    const reason =
      answer.refusal === undefined ? (anthropicReasons[answer.finishReason ?? ""] ?? "end_turn") : "refusal";
    const head = { type: "message", id: "m", model: request.model, role: "assistant", stop_sequence: null };
    const usage = { input_tokens: prompt, output_tokens: completion };
    const content = answer.refusal === undefined && text !== "" ? [{ type: "text", text }] : [];
    if (request.stream !== true) return sendJson(response, { ...head, content, stop_reason: reason, usage });
    sendEvents(response, [
      { type: "message_start", message: { ...head, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...inPieces(text).map((piece) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: piece },
      })),
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: completion },
      },
      { type: "message_stop" },
    ]);
  },
};
const anthropicReasons: Record<string, string> = { length: "max_tokens", content_filter: "refusal" };

const google: Dialect = {
  path: /:(?:streamGenerateContent|generateContent)(?:\?|$)/,
  read(body, path) {
    const config = (body.generationConfig ?? {}) as Body;
    const contents = (body.contents ?? []) as { role: string; parts: Part[] }[];
    const system = (body.systemInstruction as { parts?: Part[] } | undefined)?.parts ?? [];
    return {
      model: /models\/([^:]+)/.exec(path)?.[1] ?? "",
      messages: [{ role: "system", content: system }, ...contents.map(({ role, parts }) => ({ role, content: parts }))],
      stream: path.includes("stream"),
      max_tokens: config.maxOutputTokens as number,
      ...askFor(config.responseJsonSchema ?? config.responseSchema, true),
    };
  },
  rule: checkGoogleSchema,
  refuse: (message) => refuseAs(400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  async write(response, request, answer) {
    if (await writeRaw(response, request, answer)) return;
    const { prompt, completion, reasoning = 0 } = usageOfAnswer(request, answer);
    const finishReason = answer.refusal === undefined ? (googleReasons[answer.finishReason ?? ""] ?? "STOP") : "SAFETY";
    const text = answer.refusal === undefined ? textOfAnswer(answer) : "";
    const usageMetadata = {
      promptTokenCount: prompt,
      candidatesTokenCount: completion - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: prompt + completion,
    };
    const candidate = (piece: string) => ({ content: { role: "model", parts: piece === "" ? [] : [{ text: piece }] } });
    if (request.stream !== true)
      return sendJson(response, { candidates: [{ ...candidate(text), finishReason }], usageMetadata });
    sendEvents(response, [
      ...inPieces(text).map((piece) => ({ candidates: [candidate(piece)] })),
      { candidates: [{ ...candidate(""), finishReason }], usageMetadata },
    ]);
  },
};
const googleReasons: Record<string, string> = { length: "MAX_TOKENS", content_filter: "SAFETY" };

const dialects: readonly Dialect[] = [chat, responses, anthropic, google];

/** The dialect of an address; null when no provider has it. */
export function findDialect(path: string): Dialect | null {
  return dialects.find((dialect) => dialect.path.test(path)) ?? null;
}

/** What the provider says of the schema that a request asks for under strict rules; null when it takes it. */
export function findSchemaFault(dialect: Dialect, request: ChatRequest): string | null {
  const asked = request.response_format?.json_schema;
  return asked?.strict === true ? dialect.rule(asked.schema, asked.name) : null;
}

function askFor(schema: unknown, strict: boolean): Pick<ChatRequest, "response_format"> {
  if (schema === undefined) return {};
  return { response_format: { type: "json_schema", json_schema: { name: "reply", strict, schema } } };
}

function listMessages(given: unknown): ChatRequest["messages"] {
  return Array.isArray(given) ? (given as ChatRequest["messages"]) : [];
}

/** Latency, broken transport and raw bodies are the same in every dialect; true when that was the answer. */
async function writeRaw(response: ServerResponse, request: ChatRequest, answer: Answer): Promise<boolean> {
  if (answer.raw === undefined && answer.stop === undefined) return false;
  await writeAnswer(response, request, answer);
  return true;
}

function refuseAs(status: number, body: object): { status: number; body: string } {
  return { status, body: JSON.stringify(body) };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: ({ type?: string } & Record<string, unknown>)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type ?? "message"}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function inPieces(text: string): string[] {
  return text.match(/[^]{1,24}/gu) ?? [];
}
