import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { numberRole } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { buildCast, parseCast } from "./cast.ts";

type Seen = { url: string; headers: Record<string, unknown>; body: Record<string, unknown> };

const key = "pk-wire-abcdefgh12345678";
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that gives one answer (events, if it is a list), whatever is asked, and what it was asked. */
async function wire(answer: object): Promise<{ baseUrl: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += String(part);
    seen.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
    response.writeHead(200, { "content-type": Array.isArray(answer) ? "text/event-stream" : "application/json" });
    const events = Array.isArray(answer) ? (answer as { type?: string }[]) : [];
    for (const event of events) response.write(`event: ${event.type ?? "message"}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end(Array.isArray(answer) ? "" : JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const role = numberRole("a");
const input = { question: "How many?", heard: [1, 2] };

function play(cast: string, env: Record<string, string>) {
  return buildCast(parseCast(cast, ["a"]), { env })("a").play(role, input, turnOf(role, input));
}

async function stream(cast: string, env: Record<string, string>) {
  const turn = turnOf(role, input);
  const played = await buildCast(parseCast(cast, ["a"]), { env, settings: { stream: "on" } })("a").play(
    role,
    input,
    turn,
  );
  return { ...played, streamed: turn.log.text };
}

describe("each provider's own API gets the schema and gives text and usage", () => {
  test("openai: chat completions with a strict schema", async () => {
    const { baseUrl, seen } = await wire({
      choices: [{ index: 0, message: { role: "assistant", content: '{"value":4}' }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 10,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    });
    const played = await play("openai/gpt-5-mini", { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl });
    expect(played).toMatchObject({
      reply: { text: '{"value":4}' },
      usage: { calls: 1, inputTokens: 100, outputTokens: 10, cachedTokens: 64, reasoningTokens: 6 },
    });
    expect(played.usage.costUsd).toBeCloseTo((36 * 0.25 + 64 * 0.025 + 10 * 2) / 1e6, 12);
    expect(seen[0]).toMatchObject({
      url: "/v1/chat/completions",
      headers: { authorization: `Bearer ${key}` },
      body: {
        model: "gpt-5-mini",
        max_completion_tokens: 8192,
        response_format: { type: "json_schema", json_schema: { strict: true, schema: { required: ["value"] } } },
      },
    });
    expect(JSON.stringify(seen[0]?.body.messages)).not.toContain("JSON schema");
  });

  test("openai-responses: the other API of OpenAI", async () => {
    const { baseUrl, seen } = await wire({
      id: "r",
      created_at: 1,
      model: "gpt-5-pro",
      output: [
        {
          type: "message",
          id: "m",
          role: "assistant",
          content: [{ type: "output_text", text: '{"value":5}', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 90,
        output_tokens: 20,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 9 },
      },
    });
    const played = await play("openai-responses/gpt-5-pro", { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl });
    expect(played).toMatchObject({
      reply: { text: '{"value":5}' },
      usage: { inputTokens: 90, outputTokens: 20, reasoningTokens: 9 },
    });
    expect(seen[0]).toMatchObject({
      url: "/v1/responses",
      body: { text: { format: { type: "json_schema", strict: true } } },
    });
  });

  test("anthropic: messages with a native schema and a cache hint on the last shared block only", async () => {
    const { baseUrl, seen } = await wire({
      type: "message",
      id: "m",
      model: "claude-sonnet-5",
      role: "assistant",
      content: [{ type: "text", text: '{"value":6}' }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 50, output_tokens: 12, cache_read_input_tokens: 200, cache_creation_input_tokens: 30 },
    });
    const played = await play("anthropic/claude-sonnet-5", { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl });
    expect(played).toMatchObject({
      reply: { text: '{"value":6}' },
      usage: { inputTokens: 280, outputTokens: 12, cachedTokens: 200 },
    });
    expect(played.usage.costUsd).toBeCloseTo((50 * 2 + 200 * 0.2 + 30 * 2.5 + 12 * 10) / 1e6, 12);
    expect(seen[0]).toMatchObject({
      url: "/v1/messages",
      headers: { "x-api-key": key },
      body: { max_tokens: 8192, output_config: { format: { type: "json_schema", schema: { required: ["value"] } } } },
    });
    const messages = seen[0]?.body.messages as { content: { text: string; cache_control?: unknown }[] }[] | undefined;
    expect(messages?.[0]?.content.map((part) => [part.text.split("\n")[0], part.cache_control])).toEqual([
      ["[QUESTION]", undefined],
      ["[HEARD]", undefined],
      ["[HEARD]", { type: "ephemeral" }],
      ["[YOU]", undefined],
    ]);
  });

  test("google: generateContent with a response schema", async () => {
    const { baseUrl, seen } = await wire({
      candidates: [{ content: { role: "model", parts: [{ text: '{"value":7}' }] }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: 80,
        candidatesTokenCount: 9,
        thoughtsTokenCount: 11,
        cachedContentTokenCount: 40,
        totalTokenCount: 100,
      },
    });
    const played = await play("google/gemini-2.5-flash", {
      GEMINI_API_KEY: key,
      GOOGLE_GENERATIVE_AI_BASE_URL: baseUrl,
    });
    expect(played).toMatchObject({
      reply: { text: '{"value":7}' },
      usage: { inputTokens: 80, outputTokens: 20, cachedTokens: 40, reasoningTokens: 11 },
    });
    expect(seen[0]).toMatchObject({
      url: "/v1/models/gemini-2.5-flash:generateContent",
      headers: { "x-goog-api-key": key },
      body: {
        generationConfig: {
          maxOutputTokens: 8192,
          responseMimeType: "application/json",
          responseJsonSchema: { required: ["value"] },
        },
      },
    });
  });

  test("compatible: the schema natively and, since a grammar does not show it to the model, in the prompt", async () => {
    const { baseUrl, seen } = await wire({
      choices: [{ index: 0, message: { role: "assistant", content: '{"value":8}' }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    });
    const played = await play("compatible/llama", { PARLEY_BASE_URL: baseUrl });
    expect(played).toMatchObject({
      reply: { text: '{"value":8}' },
      usage: { inputTokens: 10, outputTokens: 2, costUsd: null },
    });
    const body = seen[0]?.body as { response_format: unknown; messages: { role: string; content: string }[] };
    expect(body.response_format).toMatchObject({ type: "json_schema", json_schema: { strict: true } });
    expect(body.messages[1]?.content).toMatch(/"required":\["value"\].*\n$/);
  });
});

describe("each provider's own stream gives the same text and usage", () => {
  test("anthropic", async () => {
    const { baseUrl } = await wire([
      {
        type: "message_start",
        message: {
          type: "message",
          id: "m",
          model: "claude-sonnet-5",
          role: "assistant",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 50, output_tokens: 1, cache_read_input_tokens: 200, cache_creation_input_tokens: 0 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: '{"val' } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: 'ue":6}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 12 } },
      { type: "message_stop" },
    ]);
    expect(
      await stream("anthropic/claude-sonnet-5", { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl }),
    ).toMatchObject({
      reply: { text: '{"value":6}' },
      streamed: '{"value":6}',
      finish: "stop",
      usage: { inputTokens: 250, outputTokens: 12, cachedTokens: 200 },
    });
  });

  test("google", async () => {
    const usageMetadata = { promptTokenCount: 80, candidatesTokenCount: 9, totalTokenCount: 89 };
    const { baseUrl, seen } = await wire([
      { candidates: [{ content: { role: "model", parts: [{ text: '{"val' }] } }] },
      {
        candidates: [{ content: { role: "model", parts: [{ text: 'ue":7}' }] }, finishReason: "STOP" }],
        usageMetadata,
      },
    ]);
    expect(
      await stream("google/gemini-2.5-flash", { GEMINI_API_KEY: key, GOOGLE_GENERATIVE_AI_BASE_URL: baseUrl }),
    ).toMatchObject({
      reply: { text: '{"value":7}' },
      streamed: '{"value":7}',
      usage: { inputTokens: 80, outputTokens: 9 },
    });
    expect(seen[0]?.url).toBe("/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
  });
});
