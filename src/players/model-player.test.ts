import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { misbehaviours } from "../../test/support/model-server-misbehaviour.ts";
import {
  goodContent,
  type ModelServer,
  queue,
  type Respond,
  startModelServer,
} from "../../test/support/model-server.ts";
import { turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
import { defineRole } from "../engine/role.ts";
import { compatible, type ConfiguredModel, defaultSettings, withoutStructure } from "./providers.ts";
import { configuredPlayer } from "./model-player.ts";

const key = "pk-loopback-1234567890-secret";
const judge = defineRole({
  name: "judge",
  reply: z.strictObject({ answer: z.string().min(1), sure: z.number().min(0).max(1) }),
  prompt: (input: { question: string }) => ({
    instructions: "Judge the question.",
    blocks: [{ label: "QUESTION", text: input.question }],
    own: [{ label: "YOU", text: "the judge" }],
  }),
});
const input = { question: "Is the été over? 여름" };

const opened: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function configureModel(
  respond: Respond,
  changes: Partial<ConfiguredModel> = {},
): Promise<{ server: ModelServer; setup: ConfiguredModel }> {
  const server = await startModelServer({ respond });
  opened.push(server);
  const structuredOutput = changes.traits?.structuredOutput ?? true;
  const { maxReplyBytes } = defaultSettings;
  const address = { model: "m", baseUrl: server.baseUrl, key, structuredOutput, maxReplyBytes };
  const setup: ConfiguredModel = {
    id: "compatible/m",
    model: "m",
    endpoint: server.baseUrl,
    load: () => compatible.load(address),
    traits: { ...compatible.traits, structuredOutput },
    settings: defaultSettings,
    isWatched: false,
    price: { input: 1, output: 10, cached_input: 0.1 },
    keyName: "PARLEY_API_KEY",
    keys: [key],
    secrets: [key],
    ...changes,
  };
  return { server, setup };
}

const streaming = { settings: { ...defaultSettings, stream: "on" as const } };
/** The changes for an endpoint that hangs: it is not waited for, once it was asked. */
const hasty = ({ settings = defaultSettings }: Partial<ConfiguredModel>) => ({
  settings: { ...settings, totalTimeoutMs: 1_000, chunkTimeoutMs: 1_000 },
});
const modes = [
  ["at once", {}],
  ["streamed", streaming],
] as const;

describe.each(modes)("a model player, %s", (mode, changes) => {
  test("asks with the schema, the seed and the limit, and returns text, usage and cost", async () => {
    const usage = { prompt: 1000, completion: 200, cached: 600, reasoning: 50 };
    const { server, setup } = await configureModel((request) => ({ content: goodContent(request), usage }), changes);
    const turn = turnOf(judge, input);
    const played = await configuredPlayer(setup).play(judge, input, turn);
    expect(played).toMatchObject({
      finish: "stop",
      usage: { calls: 1, inputTokens: 1000, outputTokens: 200, cachedTokens: 600, reasoningTokens: 50 },
    });
    expect(played.usage.costUsd).toBeCloseTo((400 * 1 + 600 * 0.1 + 200 * 10) / 1e6, 12);
    expect(judge.reply.parse(JSON.parse("text" in played.reply ? played.reply.text : ""))).toBeTruthy();
    const [seen] = server.seen;
    expect(seen?.body).toMatchObject({
      model: "m",
      seed: 7,
      max_tokens: 8192,
    });
    expect(seen?.body.response_format?.json_schema).toMatchObject({
      strict: true,
      schema: { type: "object", additionalProperties: false, required: ["answer", "sure"] },
    });
    expect(seen?.body.stream === true).toBe(mode === "streamed");
    expect(seen?.headers.authorization).toBe(`Bearer ${key}`);
    expect(turn.log.text).toBe(mode === "streamed" && "text" in played.reply ? played.reply.text : "");
  });

  test("reserves a true upper bound before the call and settles what was used", async () => {
    const { server, setup } = await configureModel((request) => ({ content: goodContent(request) }), changes);
    const turn = turnOf(judge, input);
    const reserve = turn.reserve;
    turn.reserve = async (worst) => {
      expect(server.seen).toHaveLength(0);
      return reserve(worst);
    };
    const played = await configuredPlayer(setup).play(judge, input, turn);
    const [reservation] = turn.log.reserved;
    const body = server.seen[0]?.body;
    const sentBytes = Buffer.byteLength(
      JSON.stringify([body?.messages.map((one) => one.content), body?.response_format]),
    );
    expect(reservation?.worst.tokens).toBeGreaterThanOrEqual(sentBytes + setup.settings.maxOutputTokens);
    expect(reservation?.worst.usd).toBeGreaterThan(played.usage.costUsd ?? Infinity);
    expect(reservation?.settled).toEqual({
      calls: 1,
      tokens: played.usage.inputTokens + played.usage.outputTokens,
      usd: played.usage.costUsd,
    });
  });

  test.each(misbehaviours.map((one) => [one.name, one] as const))(
    "%s: text for the engine, or a clear failure",
    async (_, one) => {
      const { server, setup } = await configureModel(
        (request) => one.answer(goodContent(request), request),
        one.name.startsWith("hang") ? hasty(changes) : changes,
      );
      const turn = turnOf(judge, input);
      const outcome = await configuredPlayer(setup)
        .play(judge, input, turn)
        .catch((error: unknown) => error);
      expect(server.seen).toHaveLength(1);
      expect(turn.log.reserved).toHaveLength(1);
      if (one.consequence === "text" || one.consequence === "withheld") {
        expect(outcome).toMatchObject({ usage: { calls: 1 } });
        return;
      }
      expect(outcome).toBeInstanceOf(ParleyError);
      const { code, message, details } = outcome as ParleyError;
      expect({ code, retryable: details.retryable }).toEqual({
        code: "endpoint_failed",
        retryable: one.consequence === "retry",
      });
      expect(message).toContain(server.baseUrl);
      expect(turn.log.reserved[0]?.settled).toEqual(
        details.spent === "nothing" ? { calls: 1, tokens: 0, usd: 0 } : null,
      );
    },
  );

  test("a call that is stopped ends at once, stays spent and reads as interrupted", async () => {
    const { server, setup } = await configureModel(
      () => ({ stop: { how: "hang", at: "body" }, content: "half of it" }),
      changes,
    );
    const stop = new AbortController();
    const turn = turnOf(judge, input, { signal: stop.signal });
    const playing = configuredPlayer(setup).play(judge, input, turn);
    while (server.seen.length === 0) await new Promise((done) => setImmediate(done));
    stop.abort();
    await expect(playing).rejects.toMatchObject({ code: "interrupted" });
    expect(turn.log.reserved).toMatchObject([{ settled: null }]);
  });

  test("a key that the endpoint repeats is in no reply, stream or error", async () => {
    const { setup } = await configureModel(
      queue([
        { content: `{"answer":"my key is ${key}","sure":1}` },
        { raw: { status: 401, body: `{"error":{"message":"bad key ${key}"}}` } },
        { raw: { status: 200, headers: { "content-type": "text/html" }, body: `<p>Authorization: Bearer ${key}</p>` } },
      ]),
      changes,
    );
    const player = configuredPlayer(setup);
    const turn = turnOf(judge, input);
    const shown: unknown[] = [await player.play(judge, input, turn), turn.log.text];
    for (const _ of [1, 2]) {
      const error = await player
        .play(judge, input, turnOf(judge, input))
        .catch((caught: unknown) => caught as ParleyError);
      shown.push(...errorTexts(error));
    }
    expect(shown).toHaveLength(10);
    for (const text of shown) expect(JSON.stringify(text)).not.toContain(key.slice(3, 20));
  });
});

describe("a model player", () => {
  test("names the endpoint, the status and the beginning of a body that is not JSON", async () => {
    const page = `<html>${"x".repeat(500)}</html>`;
    const { server, setup } = await configureModel(() => ({
      raw: { status: 502, headers: { "content-type": "text/html" }, body: page },
    }));
    const error = await configuredPlayer(setup)
      .play(judge, input, turnOf(judge, input))
      .catch((caught: unknown) => caught as ParleyError);
    expect(error).toMatchObject({ code: "endpoint_failed", details: { endpoint: server.baseUrl, status: 502 } });
    expect((error as ParleyError).message).toContain(`status 502: ${page.slice(0, 200)}…`);
  });

  test("an address where nobody listens is a failure that costs nothing", async () => {
    const { server, setup } = await configureModel(() => ({}));
    await server.close();
    opened.length = 0;
    const turn = turnOf(judge, input);
    await expect(configuredPlayer(setup).play(judge, input, turn)).rejects.toMatchObject({
      code: "endpoint_failed",
      message: expect.stringContaining("cannot be reached (ECONNREFUSED)"),
      details: { retryable: true, spent: "nothing" },
    });
    expect(turn.log.reserved).toMatchObject([{ settled: { calls: 1, tokens: 0 } }]);
  });

  test("a spent quota is a 429 that does not pass", async () => {
    const body = '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}';
    const { setup } = await configureModel(() => ({ raw: { status: 429, body } }));
    await expect(configuredPlayer(setup).play(judge, input, turnOf(judge, input))).rejects.toMatchObject({
      message: expect.stringContaining("status 429: You exceeded your quota"),
      details: { retryable: false },
    });
  });

  test("a repair shows the model its last reply and what was wrong with it", async () => {
    const { server, setup } = await configureModel((request) => ({ content: goodContent(request) }));
    const problems = [{ code: "schema", message: "expected number", severity: "reject" as const, path: ["sure"] }];
    await configuredPlayer(setup).play(
      judge,
      input,
      turnOf(judge, input, { repair: { raw: '{"sure":"yes"}', problems } }),
    );
    await configuredPlayer(setup).play(judge, input, turnOf(judge, input, { repair: { raw: "", problems } }));
    const [first, second] = server.seen.map((seen) => seen.body.messages);
    expect(first?.map((message) => message.role)).toEqual(["system", "user", "assistant", "user"]);
    expect(first?.[2]?.content).toBe('{"sure":"yes"}');
    expect(first?.[3]?.content).toContain("- `sure`: expected number");
    expect(second?.[2]?.content).not.toBe("");
  });

  test("without structured output the schema stands at the end of the prompt and nowhere else", async () => {
    const traits = withoutStructure(compatible.traits);
    const { server, setup } = await configureModel(() => ({ value: { answer: "x", sure: 1 } }), { traits });
    await configuredPlayer(setup).play(judge, input, turnOf(judge, input));
    const body = server.seen[0]?.body;
    expect(body?.response_format).toBeUndefined();
    expect(String(body?.messages[1]?.content)).toMatch(/the judge\n```\n[^]*JSON schema:\n\{.*"minLength":1.*\}\n$/);
  });

  test("an endpoint that does not report usage leaves the reservation spent and the cost unknown", async () => {
    const { setup } = await configureModel((request) => ({ content: goodContent(request), usage: null }));
    const turn = turnOf(judge, input);
    const played = await configuredPlayer(setup).play(judge, input, turn);
    expect(played.usage).toMatchObject({ calls: 1, costUsd: null });
    expect(played.usage.inputTokens).toBeGreaterThan(0);
    expect(turn.log.reserved).toMatchObject([{ settled: null }]);
  });

  test("an unknown price is unknown before and after the call", async () => {
    const { setup } = await configureModel((request) => ({ content: goodContent(request) }), { price: null });
    const turn = turnOf(judge, input);
    const played = await configuredPlayer(setup).play(judge, input, turn);
    expect([turn.log.reserved[0]?.worst.usd, played.usage.costUsd]).toEqual([null, null]);
  });

  test("a budget that refuses means no call", async () => {
    const { server, setup } = await configureModel(() => ({}));
    const refuse = async (): Promise<never> => {
      throw new ParleyError("budget_exhausted", "no");
    };
    await expect(
      configuredPlayer(setup).play(judge, input, turnOf(judge, input, { reserve: refuse })),
    ).rejects.toMatchObject({ code: "budget_exhausted" });
    expect(server.seen).toHaveLength(0);
  });

  test("a turn stopped while it reserves makes no call and gives the reservation back", async () => {
    const { server, setup } = await configureModel(() => ({}));
    const stop = new AbortController();
    const turn = turnOf(judge, input, { signal: stop.signal });
    const { reserve } = turn;
    turn.reserve = async (worst) => {
      stop.abort();
      return reserve(worst);
    };
    await expect(configuredPlayer(setup).play(judge, input, turn)).rejects.toMatchObject({ code: "interrupted" });
    expect(server.seen).toHaveLength(0);
    expect(turn.log.reserved).toMatchObject([{ settled: { calls: 0, tokens: 0, usd: 0 } }]);
  });
});

function errorTexts(error: unknown): unknown[] {
  const { message, details, cause, stack } = error as ParleyError;
  const { message: causeMessage, stack: causeStack, ...rest } = (cause ?? {}) as Error;
  return [message + stack, details, `${causeMessage}${causeStack}`, rest];
}
