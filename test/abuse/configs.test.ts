/** Ten thousand random configurations (fewer in `npm test`), through the path of the command line: no crash, no hang, no accepted lie. */
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { parseBudget } from "../../src/cli/options.ts";
import { BudgetSchema } from "../../src/contract/budget.ts";
import { ParleyError } from "../../src/contract/error.ts";
import { encodeCanonicalJson } from "../../src/engine/hash.ts";
import type { AnyPack } from "../../src/engine/pack.ts";
import { createRandom, type Random } from "../../src/text/random.ts";
import { loadPack, packNames } from "../../src/packs/registry.ts";
import { makeUserConfigSchema, readUserConfig } from "../../src/runs/settings.ts";
import { configure, type Verdict } from "../support/abuse/config-path.ts";
import { breaches, type SchemaNode } from "../support/abuse/json-schema.ts";
import { timesOf } from "../support/share.ts";
import { Entries, hostileYaml, misspelt, pick, randomValue, Raw, yamlOf } from "../support/abuse/random-values.ts";

vi.setConfig({ testTimeout: 240_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as SchemaNode;

/** What a refusal looks like: of a kind that a user can act on, and short enough to read. */
function expectRefusal({ error }: Verdict, what: string): void {
  if (!error) return;
  expect(["bad_config", "bad_cast", "missing_key", "unknown_run"], `${what}: ${error.message}`).toContain(error.code);
  expect(error.message.length, what).toBeLessThan(12_000);
  expect(error.message, what).not.toMatch(/\[object|undefined|NaN is|Maximum call stack/);
}

function expectNoPollution(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

/** What was accepted lies in the documented ranges, says what was written, and means the same when it is read again. */
function expectNoLie(pack: AnyPack, schema: SchemaNode, verdict: Verdict, written: unknown): void {
  if (!verdict.manifest) return;
  const { given, config } = verdict.manifest;
  if (!(given as object).hasOwnProperty("pipeline"))
    expect(breaches(given, schema, schema), yamlOf(written)).toEqual([]);
  const plain = plainOf(written);
  if (plain !== null) expect(encodeCanonicalJson(given)).toBe(encodeCanonicalJson(plain.value));
  expect(encodeCanonicalJson(pack.config.parse(JSON.parse(JSON.stringify(config))))).toBe(encodeCanonicalJson(config));
}

/** The value as JavaScript has it; null when raw YAML stands in it. */
function plainOf(value: unknown): { value: unknown } | null {
  if (value instanceof Raw) return null;
  if (value instanceof Entries) {
    const pairs = value.pairs.map(([key, inner]) => [key, plainOf(inner)] as const);
    if (pairs.some(([, inner]) => inner === null)) return null;
    return { value: Object.fromEntries(pairs.map(([key, inner]) => [key, inner?.value])) };
  }
  if (!Array.isArray(value)) return { value };
  const items = value.map(plainOf);
  return items.some((item) => item === null) ? null : { value: items.map((item) => item?.value) };
}

/** Some of the settings of a value as `--set` pairs. */
function settingsOf(random: Random, value: unknown, path = ""): string[] {
  if (value instanceof Entries && (path === "" || (value.pairs.length > 0 && random() < 0.6)))
    return value.pairs.flatMap(([key, inner]) => settingsOf(random, inner, path === "" ? key : `${path}.${key}`));
  return [`${path}=${yamlOf(value)}`];
}

const configsPerPack = timesOf({ quick: 120, whole: 1_900 });

describe.each(packNames)(`${configsPerPack} random configs of the %s pack`, (name) => {
  it("in a file and as --set: each is refused by its key, or lies in the documented ranges", async () => {
    const pack = await loadPack(name);
    const schema = schemaOf(pack.config);
    const random = createRandom(seed + packNames.indexOf(name));
    let accepted = 0;
    for (let i = 0; i < configsPerPack; i += 1) {
      const value = randomValue(random, schema, schema, pick(random, [0, 0, 0.03, 0.2]));
      const asSet = i % 2 === 1 && value instanceof Entries;
      const verdict = await configure(pack, asSet ? "{}" : `${JSON.stringify(name)}: ${yamlOf(value)}`, {
        set: asSet ? settingsOf(random, value) : [],
      });
      if (verdict.manifest) accepted += 1;
      expectRefusal(verdict, yamlOf(value));
      expectNoLie(pack, schema, verdict, asSet && hasTwins(value) ? new Raw("") : value);
      expectNoPollution();
    }
    expect(accepted, "the generator must also make good configs").toBeGreaterThan(configsPerPack / 10);
  });

  it("one misspelt key is refused with its name and the right one", async () => {
    const pack = await loadPack(name);
    const random = createRandom(seed);
    for (const key of Object.keys(schemaOf(pack.config).properties ?? {})) {
      const wrong = misspelt(random, key);
      if (wrong === key) continue;
      const { error } = await configure(pack, `${JSON.stringify(name)}: {${JSON.stringify(wrong)}: 1}`);
      expect(error?.message).toContain(`unknown key "${wrong}"; did you mean "`);
    }
  });

  it.each([
    "__proto__.polluted=1",
    "constructor.prototype.polluted=1",
    "a.__proto__.polluted=1",
    "toString.x=1",
    "=1",
    "x",
    "..=1",
    `${"a.".repeat(20_000)}b=1`,
  ])("--set %.40s is refused and reaches no prototype", async (setting) => {
    const { error } = await configure(await loadPack(name), "{}", { set: [setting] });
    expect(error?.code).toBe("bad_config");
    expectNoPollution();
  });
});

/** Two pairs of one key: `--set` lets the later one win. */
function hasTwins(value: unknown): boolean {
  if (!(value instanceof Entries)) return Array.isArray(value) && value.some(hasTwins);
  return (
    new Set(value.pairs.map(([key]) => key)).size < value.pairs.length ||
    value.pairs.some(([, inner]) => hasTwins(inner))
  );
}

const fileCount = timesOf({ quick: 150, whole: 1_200 });

it(`${fileCount} random configuration files: cast, seed, budget, store, endpoints and prices`, async () => {
  const pack = await loadPack("question");
  const schema = schemaOf(makeUserConfigSchema());
  const random = createRandom(seed + 50);
  for (let i = 0; i < fileCount; i += 1) {
    const value = randomValue(random, schema, schema, pick(random, [0, 0.02, 0.15]));
    const verdict = await configure(pack, yamlOf(value));
    expectRefusal(verdict, yamlOf(value));
    if (verdict.manifest)
      expect(breaches(verdict.manifest.budget, schemaOf(BudgetSchema), {}), yamlOf(value)).toEqual([]);
    if (verdict.manifest) expect(Number.isSafeInteger(verdict.manifest.seed)).toBe(true);
    expectNoPollution();
  }
});

const brokenCount = timesOf({ quick: 150, whole: 400 });

it(`${brokenCount} random bytes and broken texts as a configuration file`, async () => {
  const pack = await loadPack("question");
  const random = createRandom(seed + 60);
  for (let i = 0; i < brokenCount; i += 1) {
    const parts = Array.from({ length: 1 + Math.floor(random() * 8) }, () =>
      pick(random, [
        ...hostileYaml,
        "question:",
        "\n",
        "  ",
        "---\n",
        "...",
        "\uFEFF",
        "\u0000",
        "\uFFFF",
        "protocol: vote",
      ]),
    );
    expectRefusal(await configure(pack, parts.join(pick(random, ["", " ", "\n"]))), parts.join("|"));
  }
});

const castWords = [
  "expert",
  "person",
  "openai/gpt-5-mini",
  "ollama/llama3.2",
  "recording/",
  "recording/none",
  "analyst",
  "skeptic",
  "*",
  "**",
  "*a*",
  "=",
  "=",
  ",",
  ",",
  "/",
  " ",
  "expret",
  "opena/x",
  "__proto__",
  "constructor",
  "ollama/constructor",
  "한",
  "\u0000",
  "=expert",
  "*=expert",
  "\uD800",
];

const castCount = timesOf({ quick: 250, whole: 800 });

it(`${castCount} random casts: every role gets a known player, or the cast is refused with what is wrong`, async () => {
  const pack = await loadPack("question");
  const random = createRandom(seed + 70);
  for (let i = 0; i < castCount; i += 1) {
    const cast = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(random, castWords)).join("");
    const verdict = await configure(pack, "{}", { cast, budget: random() < 0.3 ? { usd: 1 } : {} });
    expectRefusal(verdict, cast);
    if (verdict.manifest) expect(verdict.manifest.cast).toBe(cast);
  }
});

it.each([
  `${"*".repeat(3_000)}x=expert`,
  `${"*a".repeat(3_000)}=expert`,
  "analyst=expert,".repeat(2_000),
  "x".repeat(1_000_000),
])("a cast that would make a matcher go back and forth is refused at once", async (cast) => {
  const { error } = await configure(await loadPack("question"), "{}", { cast });
  expect(error?.code).toBe("bad_cast");
  expect(error?.message.length).toBeLessThan(1_000);
});

it("400 random budgets: a limit is a limit, or the text is refused with the limit's name", () => {
  const random = createRandom(seed + 80);
  const parts = [
    "calls",
    "tokens",
    "usd",
    "time",
    "tims",
    "=",
    "=",
    "=",
    ",",
    "1",
    "20",
    "0.5",
    "90s",
    "5m",
    "2h",
    "-1",
    "1e3",
    "1e400",
    "NaN",
    "Infinity",
    "0x10",
    "_",
    "1__0",
    " ",
    "",
    "ms",
    "999999999999999999999",
    "wallMs",
    "__proto__",
  ];
  for (let i = 0; i < 400; i += 1) {
    const text = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, parts)).join("");
    try {
      const budget = parseBudget(text);
      expect(BudgetSchema.safeParse(budget).error, text).toBeUndefined();
      expect(Object.keys(budget).length, text).toBe(text.split(",").length);
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      expect(error.message).toMatch(/--budget|not a time/);
    }
  }
});

it("a configuration of a hundred thousand keys is refused in seconds, a key given twice with its line", () => {
  const keys = Array.from({ length: 100_000 }, (_, at) => `k${at}: 1`).join("\n");
  const before = process.threadCpuUsage();
  expect(() => readUserConfig("c.yaml", `prices:\n  ? [a]\n  : 1\n${keys}\nk7: 2`)).toThrow(
    /the key k7 is there twice at line 100004/,
  );
  expect(() => readUserConfig("c.yaml", keys)).toThrow(/unknown key "k0"/);
  expect(process.threadCpuUsage(before).user / 1e6, "seconds").toBeLessThan(6);
});

it("a second document in a configuration is refused, not left out", () => {
  expect(() => readUserConfig("c.yaml", "cast: expert\n---\nbudget: { usd: 1 }\n")).toThrow(
    /holds more than one document at line 2/,
  );
});
