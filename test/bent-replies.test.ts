import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Turn } from "../src/contract/turn.ts";
import { buildJsonSchema, buildRequest } from "../src/engine/prompt.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { readReply } from "../src/engine/read-reply.ts";
import { headlineOf } from "../src/runs/show-run.ts";
import { sampleTurns } from "./abuse/sampled-turns.ts";
import { bends, bentPlayer, rebuild, type Schema } from "./support/bent-replies.ts";

async function hold(pack: AnyPack, example: AnyPack["examples"][number], bend: (typeof bends)[string]) {
  const input: unknown = pack.input.parse(example.input);
  const config: unknown = pack.config.parse(example.config ?? {});
  return runDebate({ pack, input, config, cast: bentPlayer(bend), seed: 1 });
}

/** A number as text: a reference may be either. */
function wordNumber(part: unknown): unknown {
  return typeof part === "number" ? String(part) : part;
}

function wordNumbers(turns: readonly Turn[]): unknown[] {
  return turns.map(({ reply }) => rebuild({}, reply, wordNumber));
}

describe.each(packNames)("bent replies in every seat of the %s pack", (name) => {
  it.each(Object.keys(bends))("%s: decided as with replies to the letter", async (kind) => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const straight = await hold(pack, example, bends["as it is"] as (typeof bends)[string]);
      const bent = await hold(pack, example, bends[kind] as (typeof bends)[string]);
      expect(bent.result.outcome).toBe(straight.result.outcome);
      expect(headlineOf(pack, bent)).toEqual(headlineOf(pack, straight));
      expect(wordNumbers(bent.turns)).toEqual(wordNumbers(straight.turns));
      const isStraight = bent.turns.every(({ attempts }) => (attempts.at(-1)?.mends ?? []).length === 0);
      expect(isStraight, "a mend is noted, and nothing is mended that is valid").toBe(
        kind === "as it is" || bent.result.quorum.mended === 0,
      );
      expect(bent.result.quorum.abstained).toBe(straight.result.quorum.abstained);
    }
  });
});

/** Without the white space between the parts of JSON. */
function squeeze(text: string): string {
  return text.replaceAll(/\n\s*|(?<=":) /g, "");
}

describe("bent replies of every role of every pack, under every config", async () => {
  const samples = await sampleTurns(2);
  it.each(Object.entries(bends))(
    "%s: read as the reply to the letter, and noted where it had to be mended",
    (kind, bend) => {
      for (const { pack, role, input, reply } of samples) {
        const read = (text: string) =>
          readReply(role, input, buildRequest(role, input), { reply: { text }, finish: "stop" });
        const text = bend(buildJsonSchema(role.reply), reply);
        const [bent, straight] = [read(text), read(JSON.stringify(reply))];
        const name = `${pack}/${role.name} ${kind}`;
        expect([name, rebuild({}, bent.value, wordNumber)]).toEqual([name, rebuild({}, straight.value, wordNumber)]);
        expect([name, straight.mends]).toEqual([name, []]);
        const isBent = squeeze(text) !== squeeze(JSON.stringify(reply));
        const mayStand = kind === "numbers as text" || kind === "nulls left out";
        if (!mayStand) expect([name, bent.mends.length > 0]).toEqual([name, isBent]);
      }
    },
  );
});

/** Values of a JSON schema. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, enum: names, const: only, type, items, properties = {} } = schema as Shape;
  const branches = anyOf ?? oneOf;
  if (branches) return fc.oneof(...branches.map(valuesOf));
  if (names) return fc.constantFrom(...names);
  if (only !== undefined) return fc.constant(only);
  if (type === "array") return fc.array(valuesOf(items ?? {}), { minLength: schema.minItems as number, maxLength: 3 });
  if (type === "object") {
    const parts = Object.entries(properties).map(([key, part]) => [key, valuesOf(part)] as const);
    return fc.record(Object.fromEntries(parts));
  }
  const { minimum: min = 0, maximum: max = 1e6 } = schema as { minimum?: number; maximum?: number };
  if (type === "integer") return fc.integer({ min: Math.max(min, -1e6), max: Math.min(max, 1e6) });
  if (type === "number") return fc.double({ min, max, noNaN: true }).map((number) => number + 0);
  if (type === "boolean") return fc.boolean();
  return type === "null" ? fc.constant(null) : fc.string({ minLength: (schema.minLength as number | undefined) ?? 1 });
}

type Shape = {
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
};

it("a valid reply of any role is never changed", async () => {
  let tried = 0;
  for (const { pack, role, input } of await sampleTurns(1)) {
    const request = buildRequest(role, input);
    const property = fc.property(valuesOf(buildJsonSchema(role.reply)), (value) => {
      const text = JSON.stringify(value);
      const strict = role.reply.safeParse(JSON.parse(text));
      if (!strict.success) return;
      tried += 1;
      const read = readReply(role, input, request, { reply: { text }, finish: "stop" });
      expect([`${pack}/${role.name}`, read.value, read.mends]).toEqual([`${pack}/${role.name}`, strict.data, []]);
    });
    fc.assert(property, { numRuns: 20 });
  }
  expect(tried).toBeGreaterThan(300);
});
