import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildJsonSchema } from "../src/engine/prompt.ts";
import type { AnyRole } from "../src/engine/role.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { buildReplySchema, takesNull } from "../src/players/call-model.ts";
import { configsOf, sampleTurns } from "./abuse/sampled-turns.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { checkAnthropicSchema, checkGoogleSchema, checkOpenAiSchema } from "./support/provider-rules.ts";
import { turnOf } from "./support/turn.ts";

const casts = [
  "openai/gpt-5-mini",
  "openai-responses/gpt-5-mini",
  "anthropic/claude-sonnet-5",
  "google/gemini-2.5-flash",
  "compatible/m",
];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** Every role that a pack has under any config. */
async function listRoles(name: string): Promise<AnyRole[]> {
  const pack = await loadPack(name);
  const roles = configsOf(pack).flatMap((config) => pack.roles(pack.config.parse(config)));
  return [...Map.groupBy(roles, (role) => `${role.name} ${JSON.stringify(buildJsonSchema(role.reply))}`).values()].map(
    ([role]) => role as AnyRole,
  );
}

describe.each(packNames)("the replies of the %s pack", (name) => {
  test("are asked for with schemas that OpenAI, Anthropic and Google take, limits and all", async () => {
    for (const role of await listRoles(name)) {
      const { strict } = buildReplySchema(role.reply);
      expect([role.name, checkOpenAiSchema(strict)]).toEqual([role.name, null]);
      expect([role.name, checkAnthropicSchema(strict)]).toEqual([role.name, null]);
    }
  });

  test("take null wherever the schema asks for a key that may be missing", async () => {
    for (const role of await listRoles(name))
      expect([role.name, listKeysWithoutNull(buildJsonSchema(role.reply))]).toEqual([role.name, []]);
  });
});

test.each(casts)("%s takes every role of every pack in every style, over its own API", async (cast) => {
  const keys = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", GEMINI_API_KEY: "key" };
  const addresses = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GENERATIVE_AI_BASE_URL", "PARLEY_BASE_URL"];
  const env = { ...keys, ...Object.fromEntries(addresses.map((name) => [name, server.baseUrl])) };
  const turns = await sampleTurns(1);
  expect(turns.length).toBeGreaterThan(30);
  for (const { role, input } of turns) {
    const options = { env, limiters: createRateLimiters() };
    const player = buildCast(parseCast(cast, [role.name]), options)(role.name);
    const { reply, usage } = await player.play(role, input, turnOf(role, input));
    expect("text" in reply ? JSON.parse(reply.text) : null).toEqual(expect.any(Object));
    expect(usage.calls).toBe(1);
  }
});

test("what a provider refuses is said whole: the context and the missing key", async () => {
  const [turn] = await sampleTurns(1);
  if (!turn) throw new Error("no turn was sampled");
  const context = "In context=('properties', 'aspect_sentiments', 'items', 'properties', 'opinion_term', 'anyOf', '0')";
  const message = `Invalid schema for response_format 'reply': ${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing 'opinion_term'.`;
  const refusing = await startModelServer({
    respond: () => ({
      raw: { status: 400, body: JSON.stringify({ error: { message, type: "invalid_request_error" } }) },
    }),
  });
  const player = buildCast(parseCast("compatible/m", [turn.role.name]), { env: { PARLEY_BASE_URL: refusing.baseUrl } });
  const played = player(turn.role.name).play(turn.role, turn.input, turnOf(turn.role, turn.input));
  await expect(played).rejects.toThrow(/'opinion_term', 'anyOf', '0'.*Missing 'opinion_term'\.$/);
  await refusing.close();
});

describe("the loopback providers refuse what the real ones refuse, in their own words", () => {
  const closed = (properties: object, extra: object = {}) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...extra,
  });
  const text = { type: "string" };
  const nest = (levels: number): object => (levels === 0 ? text : closed({ in: nest(levels - 1) }));
  const many = (count: number, part: object) =>
    closed(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, part])));

  test.each([
    ["a key that is not required", closed({ a: text }, { required: [] }), /Missing 'a'/],
    ["a key of an inner object", closed({ a: closed({ b: text }, { required: [] }) }), /\('properties', 'a'\).*'b'/],
    ["an open object", closed({}, { additionalProperties: true }), /'additionalProperties' is required/],
    ["a root that is no object", { type: "array", items: text }, /got 'type: "array"'/],
    ["eleven levels", nest(11), /levels of nesting exceeds limit of 10/],
    ["1001 enum values", closed({ a: { enum: Array.from({ length: 1001 }, (_, at) => `${at}`) } }), /enum values/],
    ["too many properties", many(5001, text), /5001 object properties/],
    ["a keyword it does not know", closed({ a: { ...text, default: "x" } }), /'default' is not permitted/],
    ["a schema without a type", closed({ a: {} }), /must have a 'type' key/],
  ])("openai: %s", (_, schema, message) => {
    expect(checkOpenAiSchema(schema)).toMatch(message);
  });

  test.each([
    [
      "a range",
      closed({ a: { type: "integer", minimum: 0, maximum: 9 } }),
      /'integer' type, properties maximum, minimum/,
    ],
    ["an open object", { type: "object", properties: {} }, /'additionalProperties' must be explicitly set to false/],
    ["two items at least", closed({ a: { type: "array", items: text, minItems: 2 } }), /minItems is not supported/],
    ["17 unions", many(17, { type: ["string", "null"] }), /union types \(17\), limit is 16/],
    ["25 optional keys", { ...many(25, text), required: [] }, /optional parameters \(25\), limit is 24/],
    [
      "recursion",
      closed({ a: { $ref: "#/$defs/n" } }, { $defs: { n: closed({ n: { $ref: "#/$defs/n" } }) } }),
      /Circular/,
    ],
  ])("anthropic: %s", (_, schema, message) => {
    expect(checkAnthropicSchema(schema)).toMatch(message);
  });

  test.each([
    ["const", closed({ a: { const: "x" } }), /Unknown name "const"/],
    ["an enum of booleans", closed({ a: { enum: [true] } }), /Enum values/],
    ["a key that is required and not there", closed({}, { required: ["a"] }), /"a" is not defined/],
  ])("google: %s", (_, schema, message) => {
    expect(checkGoogleSchema(schema)).toMatch(message);
  });
});

/** The keys of a schema that may be missing and may not be null, by their path. */
function listKeysWithoutNull(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties, required, ...rest } = schema as { properties?: Record<string, unknown>; required?: string[] };
  const own = Object.entries(properties ?? {}).flatMap(([key, part]) => [
    ...(required?.includes(key) || takesNull(part) ? [] : [`${path}/${key}`]),
    ...listKeysWithoutNull(part, `${path}/${key}`),
  ]);
  return [...own, ...Object.entries(rest).flatMap(([key, part]) => listKeysWithoutNull(part, `${path}/${key}`))];
}
