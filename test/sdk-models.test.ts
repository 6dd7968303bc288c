import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, it } from "vitest";
import { hasCode, type Player, runDebate } from "../src/index.ts";
import { noUsage } from "../src/contract/budget.ts";
import { toyPack } from "./support/toy.ts";

type Body = { messages: { role: string }[]; response_format?: unknown };

/** A model of the AI SDK whose endpoint is a function. */
function modelOf(answer: (body: Body, call: number) => { status?: number; message?: object; error?: string }) {
  let calls = 0;
  const bodies: Body[] = [];
  const provider = createOpenAICompatible({
    name: "fake",
    baseURL: "http://127.0.0.1:1/v1",
    supportsStructuredOutputs: true,
    fetch: async (_url, init) => {
      const body = JSON.parse(init?.body as string) as Body;
      bodies.push(body);
      const { status = 200, message, error } = answer(body, calls++);
      const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" };
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const text =
        error === undefined
          ? { id: "1", created: 1, model: "m", choices: [choice], usage }
          : { error: { message: error } };
      return new Response(JSON.stringify(text), { status, headers: { "content-type": "application/json" } });
    },
  });
  return { model: provider.chatModel("m"), bodies };
}

const config = { rounds: 1, speakers: ["ann", "bob", "cho"] };

it("a model object of the AI SDK plays every role, or the roles that name it", async () => {
  const { model } = modelOf(() => ({ message: { content: '{"value": 4}' } }));
  const all = await runDebate(toyPack, { question: "How many?" }, { cast: model, config });
  expect(all.result.outcome).toBe("decided");
  expect(all.turns.map(({ player }) => player)).toEqual(["fake.chat/m", "fake.chat/m", "fake.chat/m"]);
  const own: Player = {
    id: "own",
    play: async () => ({ reply: { value: { value: 1 } }, usage: noUsage, finish: null }),
  };
  const mixed = await runDebate(toyPack, { question: "How many?" }, { cast: { bob: model, "*": own }, config });
  expect(mixed.turns.map(({ player }) => player)).toEqual(["own", "fake.chat/m", "own"]);
});

it("an endpoint that refuses response_format is asked once more with the schema in the prompt, and it is said", async () => {
  const { model, bodies } = modelOf((body) =>
    body.response_format
      ? { status: 400, error: "response_format json_schema is not supported" }
      : { message: { content: '{"value": 4}' } },
  );
  const { result, turns } = await runDebate(
    toyPack,
    { question: "How many?" },
    { cast: model, config: { ...config, speakers: ["ann"], rounds: 2 } },
  );
  expect(result.outcome).not.toBe("failed");
  expect(bodies.filter((body) => body.response_format)).toHaveLength(1);
  expect(JSON.stringify(bodies.at(-1)?.messages)).toContain("value");
  expect(turns[0]?.attempts[0]?.mends).toEqual([
    "the endpoint refused response_format: asked with the schema in the prompt",
  ]);
  expect(turns[1]?.attempts[0]?.mends).toBeUndefined();
});

it.each([
  ["usage", { usage: { ...noUsage, calls: "one" } }, "usage calls: "],
  ["usage left out", { usage: undefined }, "usage: "],
  ["a reply of neither kind", { reply: {} }, "reply: expected { text } or { value }"],
  ["finish", { finish: 1 }, "finish: "],
  ["a limit", { outputLimit: "8192" }, "outputLimit: "],
  ["notes", { notes: "asked twice" }, "notes: "],
  ["who said it", { saidBy: 7 }, "saidBy: "],
])("what a player returns is checked when it is returned: %s", async (_name, given, message) => {
  const played = { reply: { value: { value: 1 } }, usage: noUsage, finish: null, ...given };
  const wrong = { id: "wrong", play: async () => played };
  const running = runDebate(toyPack, { question: "How many?" }, { cast: { "*": wrong as unknown as Player }, config });
  await expect(running).rejects.toSatisfy((error) => hasCode(error, "bad_cast"));
  await expect(running).rejects.toThrow(`the player wrong returned a reply that cannot be stored: ${message}`);
});
