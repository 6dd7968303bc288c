import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { PriceSchema } from "./providers.ts";
import { buildCast, listUnpricedPlayers, parseCast } from "./cast.ts";
import { type CastOptions, describeEndpoints, EndpointSchema, resolvePlace } from "./endpoints.ts";

const roles = ["critic_one", "critic_two", "judge"];
const key = "pk-cast-abcdefgh12345678";
const lab = EndpointSchema.parse({
  name: "lab",
  base_url: "http://10.0.0.9:8000/v1",
  key_env: "LAB_KEY",
  prices: { big: { input: 1, output: 2 } },
});

describe("what is known of a cast before it plays", () => {
  const options: CastOptions = {
    env: { OPENAI_API_KEY: key, LAB_KEY: key, OLLAMA_HOST: "0.0.0.0" },
    endpoints: [
      {
        ...lab,
        base_url: `http://user:${key}@10.0.0.9:8000/v1?token=${key}`,
        temperature: 0.3,
        max_output_tokens: 900,
      },
    ],
  };

  test("an Ollama host is made into its API's address", () => {
    const ollama = { kind: "model", provider: "ollama", model: "llama3" } as const;
    expect(resolvePlace(ollama, options).baseUrl).toBe("http://127.0.0.1:11434/v1");
  });

  test("models without a price are named, so that a USD budget can be refused", () => {
    const text = "openai/gpt-5-mini,critic_two=lab/big,judge=lab/small";
    expect(listUnpricedPlayers(parseCast(text, roles, options), options)).toEqual(["lab/small"]);
  });

  test("a model on the user's own machine is free unless the config prices it", () => {
    const findPrice = (given: CastOptions) =>
      resolvePlace({ kind: "model", provider: "ollama", model: "x" }, given).price;
    expect(listUnpricedPlayers(parseCast("ollama/x,judge=expert", roles), options)).toEqual([]);
    expect(findPrice(options)).toEqual({ input: 0, output: 0 });
    expect(findPrice({ ...options, prices: { "ollama/x": { input: 1, output: 2 } } })).toEqual({ input: 1, output: 2 });
  });
});

test("the config that the manual shows is valid", () => {
  const manual = readFileSync(new URL("../../docs/players.md", import.meta.url), "utf8");
  const shown: unknown = parse(/```yaml\n([^]*?)```/.exec(manual)?.[1] ?? "");
  const ShownSchema = z.strictObject({
    endpoints: z.array(EndpointSchema).min(2),
    prices: z.record(z.string(), PriceSchema),
  });
  const options = { ...ShownSchema.parse(shown), env: { LAB_KEY: key } };
  expect(buildCast(parseCast("lab/qwen3-32b", roles, options), options)("judge").id).toBe("lab/qwen3-32b");
});

test("a check-up lists every endpoint, where it is and what it lacks, without keys", () => {
  const env = { OPENAI_API_KEY: key };
  const endpoints = describeEndpoints({ env, endpoints: [lab] });
  expect(endpoints.map(({ name, problem }) => [name, problem])).toEqual([
    ["openai", null],
    ["openai-responses", null],
    ["anthropic", "set ANTHROPIC_API_KEY in the environment"],
    ["google", "set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY in the environment"],
    ["ollama", null],
    ["compatible", "compatible/MODEL has no address: set PARLEY_BASE_URL"],
    ["lab", "set LAB_KEY in the environment"],
  ]);
  expect(endpoints[0]).toMatchObject({ base_url: "https://api.openai.com/v1", key_set: true });
  expect(JSON.stringify(endpoints)).not.toContain(key);
});

test.each([
  ["a key in the file instead of its variable", { name: "x", key: "abc" }],
  ["a typo", { name: "x", base_ur: "http://x" }],
  ["an address that is none", { name: "x", base_url: "nowhere" }],
  ["a limit of zero", { name: "x", max_concurrency: 0 }],
])("an endpoint with %s is refused", (_, endpoint) => {
  expect(EndpointSchema.safeParse(endpoint).success).toBe(false);
});
