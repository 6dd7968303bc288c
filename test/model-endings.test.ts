import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Turn } from "../src/contract/turn.ts";
import type { JournalEntry } from "../src/contract/journal.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { definePack } from "../src/engine/define-pack.ts";
import { defineRole } from "../src/engine/role.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import type { CastOptions } from "../src/players/endpoints.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { type ChatRequest, countTokens, textOfRequest } from "./support/model-server-answer.ts";
import { type ModelServer, type Respond, startModelServer } from "./support/model-server.ts";

const speaker = defineRole({
  name: "speaker",
  reply: z.strictObject({ reasoning: z.string(), answer: z.string() }),
  prompt: ({ language }: { language?: "id" | "ko" }) => ({
    instructions: "Answer the question.",
    blocks: [{ label: "QUESTION", text: "How many?" }],
    own: [],
    ...(language ? { language } : {}),
  }),
});

const talk = definePack({
  name: "talk",
  summary: "One speaker answers.",
  input: z.strictObject({ language: z.enum(["id", "ko"]).optional() }),
  config: z.strictObject({}),
  decision: z.string().nullable(),
  roles: () => [speaker],
  async protocol(debate, { input: { language } }) {
    const reply = await debate.tryAsk(speaker, language ? { language } : {});
    return { outcome: reply ? "decided" : "undecided", reasons: [], decision: reply?.answer ?? null };
  },
  examples: [],
  sections: () => [],
});

const good = JSON.stringify({ reasoning: "I counted them one by one. ".repeat(20), answer: "seven" });
const providers = [
  "compatible/m",
  "openai/m",
  "openai-responses/m",
  "anthropic/claude-sonnet-5",
  "google/gemini-2.5-flash",
];
const ways = providers.flatMap((cast) => [[cast, "off"] as const, [cast, "on"] as const]);

let server: ModelServer;
afterEach(() => server.close());

async function debate(respond: Respond, cast: string, options: CastOptions = {}, entries: JournalEntry[] = []) {
  server = await startModelServer({ respond });
  return again(cast, options, entries);
}

async function again(cast: string, options: CastOptions, entries: JournalEntry[], input: { language?: "id" } = {}) {
  const keys = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", GEMINI_API_KEY: "key" };
  const addresses = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GENERATIVE_AI_BASE_URL", "PARLEY_BASE_URL"];
  const env = { ...keys, ...Object.fromEntries(addresses.map((name) => [name, server.baseUrl])) };
  const finished = await runDebate({
    pack: talk,
    input,
    config: {},
    cast: buildCast(parseCast(cast, ["speaker"], options), { env, limiters: createRateLimiters(), ...options }),
    journal: createMemoryJournal(entries),
  });
  return { ...finished, turn: finished.turns[0] as Turn };
}

const limitOf = (request: ChatRequest): number => request.max_tokens ?? request.max_completion_tokens ?? Infinity;

/** Says as much as it may, after some thought. */
const talkative: Respond = (request) => {
  const limit = limitOf(request);
  const usage = { prompt: 50, completion: Math.min(limit, countTokens(good) + 40), reasoning: 40 };
  return countTokens(good) + 40 <= limit
    ? { content: good, usage }
    : { content: good.slice(0, Math.max(0, limit - 40) * 4), finishReason: "length", usage };
};

describe.each(ways)("%s, streamed %s", (cast, stream) => {
  test("a reply that was cut off is asked for again with a larger limit, and comes whole", async () => {
    const { turn } = await debate(talkative, cast, { settings: { stream, maxOutputTokens: 100 } });
    expect(turn).toMatchObject({ status: "repaired", attempts: [{ outputLimit: 100 }, { outputLimit: 400 }] });
    expect(turn.attempts[0]?.problems[0]).toMatchObject({
      code: "truncated",
      message: expect.stringMatching(/^the reply was cut off at 100 tokens.*; answer more briefly/),
    });
    expect(server.seen.map(({ body }) => limitOf(body))).toEqual([100, 400]);
  });

  test("nothing is paid for the same limit twice, and the abstention says so", async () => {
    const settings = { stream, maxOutputTokens: 100, outputCeiling: 100 };
    const { turn } = await debate(talkative, cast, { settings });
    expect(turn).toMatchObject({ status: "abstained", usage: { calls: 1 } });
    expect(turn.problems[0]?.message).toContain("answer more briefly");
    expect(server.seen).toHaveLength(1);
  });

  test("a refusal is told as one, in the model's words, and is paid once", async () => {
    const { turn } = await debate(() => ({ refusal: "I would rather not." }), cast, { settings: { stream } });
    expect(turn).toMatchObject({ status: "abstained", problems: [{ code: "refused" }], usage: { calls: 1 } });
  });

  test("usage is exact", async () => {
    const usage = { prompt: 123, completion: 45 };
    const { result } = await debate(() => ({ content: good, usage }), cast, { settings: { stream } });
    expect(result.spend).toMatchObject({ calls: 1, tokens: 168 });
    expect(result.decision).toBe("seven");
  });
});

test("thoughts that were cut off before the answer are asked for again with a larger limit", async () => {
  const thinking: Respond = (request) =>
    limitOf(request) > 100 ? { content: good } : { content: "", reasoning: "Let me count.", finishReason: "length" };
  for (const stream of ["off", "on"] as const) {
    const { turn } = await debate(thinking, "compatible/m", { settings: { stream, maxOutputTokens: 100 } });
    expect(turn).toMatchObject({ status: "repaired", attempts: [{ problems: [{ code: "truncated" }] }, {}] });
    await server.close();
  }
});

test("two tool calls are two replies, unless they say the same", async () => {
  const call = (answer: string) => ({
    id: answer,
    type: "function",
    function: { name: "reply", arguments: JSON.stringify({ reasoning: "I counted.", answer }) },
  });
  const respond = (...answers: string[]): Respond => {
    const message = { role: "assistant", content: null, tool_calls: answers.map(call) };
    const body = JSON.stringify({
      id: "1",
      created: 1,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    });
    return () => ({ raw: { status: 200, body } });
  };
  const { turn } = await debate(respond("six", "seven"), "compatible/m");
  expect(turn).toMatchObject({ status: "abstained", problems: [{ code: "several_replies" }] });
  await server.close();
  expect((await debate(respond("seven", "seven"), "compatible/m")).result.decision).toBe("seven");
});

describe("a refusal in plain words", () => {
  test.each([
    "I'm sorry, but I can't help with that.",
    "I cannot assist with this request. It touches on legal matters.",
    "Sorry, I’m not able to provide legal advice.",
    "Maaf, saya tidak dapat membantu permintaan ini.",
    "Mohon maaf, sebagai asisten saya tidak bisa menjawab pertanyaan itu.",
    "죄송하지만 그 요청은 도와드릴 수 없습니다.",
    "해당 요청에는 답변할 수 없습니다.",
  ])("a refusal in plain words is told as one and is paid once: %s", async (content) => {
    const { turn } = await debate(() => ({ content }), "compatible/m");
    expect(turn).toMatchObject({ status: "abstained", problems: [{ code: "refused" }], usage: { calls: 1 } });
    expect(turn.problems[0]?.message).toContain(content.slice(0, 20));
  });

  test.each([
    "The answer is seven, because I counted them.",
    "Sure, I can help with that! The answer is seven.",
    "Unfortunately the text does not say; seven cannot be ruled out.",
    "Anak itu tidak dapat mewarisi tanah itu.",
    "정답은 일곱입니다. 다른 답은 있을 수 없습니다.",
  ])("prose that is no refusal is asked for again: %s", async (content) => {
    const { turn } = await debate(() => ({ content }), "compatible/m");
    expect(turn).toMatchObject({ status: "abstained", problems: [{ code: "no_json" }], usage: { calls: 2 } });
  });
});

describe("a reply that was cut off", () => {
  test("is read back from its journal as it was, with its limit", async () => {
    const entries: JournalEntry[] = [];
    const settings = { maxOutputTokens: 60, outputCeiling: 90 };
    const first = await debate(talkative, "compatible/m", { settings }, entries);
    const stored = JSON.parse(JSON.stringify(entries.filter(({ body }) => body.kind !== "end"))) as JournalEntry[];
    const read = await again("compatible/m", { settings }, stored);
    expect(read.turn).toEqual(first.turn);
    expect(server.seen).toHaveLength(2);
  });

  test("of a journal without limits is read as it was then", async () => {
    const entries: JournalEntry[] = [];
    await debate(talkative, "compatible/m", { settings: { maxOutputTokens: 60, outputCeiling: 60 } }, entries);
    const old = JSON.stringify(entries.filter(({ body }) => body.kind !== "end"))
      .replaceAll(/,"outputLimit":\d+/g, "")
      .replaceAll(/cut off at \d+ tokens[^"]*/g, "cut off at the output limit; answer more briefly");
    const { turn } = await again("compatible/m", {}, JSON.parse(old) as JournalEntry[]);
    expect(turn.problems[0]?.message).toBe("the reply was cut off at the output limit; answer more briefly");
  });

  test("takes only the budget that its larger limit needs", async () => {
    const { result } = await debate(talkative, "compatible/m", { settings: { maxOutputTokens: 100 } });
    expect(result.spend).toMatchObject({ calls: 2, refused: [] });
  });
});

describe("streaming", () => {
  const watched = { live: true };
  const streams = (): boolean[] => server.seen.map(({ body }) => body.stream === true);

  test("auto: streams while someone watches, else not", async () => {
    await debate(() => ({ content: good }), "compatible/m", watched);
    await again("compatible/m", {}, []);
    expect(streams()).toEqual([true, false]);
  });

  test("auto: an endpoint that refuses streams is asked without, and the refused call counts", async () => {
    const body = '{"error":{"message":"Your organization must be verified to stream this model."}}';
    const { result } = await debate(
      (request) => (request.stream ? { raw: { status: 400, body } } : { content: good }),
      "compatible/m",
      watched,
    );
    expect(result).toMatchObject({ outcome: "decided", usage: { calls: 2 }, spend: { calls: 2 } });
    expect(streams()).toEqual([true, false]);
  });

  test("on: an endpoint that refuses streams is a clear failure; off: nobody streams", async () => {
    const body = '{"error":{"message":"stream is not supported"}}';
    const refusing: Respond = (request) => (request.stream ? { raw: { status: 400, body } } : { content: good });
    const { result } = await debate(refusing, "compatible/m", { ...watched, settings: { stream: "on" } });
    expect(result).toMatchObject({ outcome: "failed", reasons: [expect.stringContaining("stream is not supported")] });
    await again("compatible/m", { ...watched, settings: { stream: "off" } }, []);
    expect(streams()).toEqual([true, false]);
  });

  test("a stream that falls silent is given up after chunk_timeout_ms", async () => {
    const endpoints = [
      { name: "slow", base_url: "http://127.0.0.1:9/v1", stream: "on" as const, chunk_timeout_ms: 50 },
    ];
    server = await startModelServer({ respond: () => ({ content: good, stop: { how: "hang", at: "body" } }) });
    const here = endpoints.map((endpoint) => ({ ...endpoint, base_url: server.baseUrl }));
    const { result } = await again("slow/m", { endpoints: here }, []);
    expect(result.reasons[0]).toMatch(/no further text within 50 ms/);
  });
});

test("a repair is asked for in the language of the prompt", async () => {
  await debate(() => ({ content: "no" }), "compatible/m");
  await again("compatible/m", {}, [], { language: "id" });
  const [, english, , indonesian] = server.seen.map(({ body }) => textOfRequest(body));
  expect(english).toContain("Your last reply could not be used");
  expect(indonesian).toContain("Balasan terakhir Anda tidak dapat dipakai");
  expect(indonesian).not.toContain("Answer with exactly one JSON object");
});
