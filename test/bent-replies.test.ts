import { describe, expect, it } from "vitest";
import type { Turn } from "../src/contract/turn.ts";
import { buildJsonSchema, buildRequest } from "../src/engine/prompt.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import type { Player } from "../src/engine/player.ts";
import type { AnyRole } from "../src/engine/role.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { readReply } from "../src/engine/read-reply.ts";
import { expertPlayer } from "../src/players/offline/expert-player.ts";
import { headlineOf } from "../src/runs/record/show-run.ts";
import { isRecord } from "../src/text/is-record.ts";
import { sampleTurns } from "./abuse/sampled-turns.ts";

type Schema = Record<string, unknown>;

/** Rebuilds a value from the inside out, each part with the schema of its place. */
function rebuild(schema: Schema, value: unknown, change: (value: unknown, schema: Schema) => unknown): unknown {
  const shape = ((schema.anyOf as Schema[] | undefined)?.find(({ type }) => type !== "null") ?? schema) as {
    items?: Schema;
    properties?: Record<string, Schema>;
  };
  if (Array.isArray(value))
    return change(
      value.map((item) => rebuild(shape.items ?? {}, item, change)),
      schema,
    );
  if (!isRecord(value)) return change(value, schema);
  const inner = Object.entries(value).map(([key, part]) => [key, rebuild(shape.properties?.[key] ?? {}, part, change)]);
  return change(Object.fromEntries(inner), schema);
}

function without(drop: (part: unknown) => boolean) {
  return (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => !drop(part))) : value;
}

const isEmptyList = (part: unknown): boolean => Array.isArray(part) && part.length === 0;

/** The same reply as models bend it. */
const bends: Record<string, (schema: Schema, reply: unknown) => string> = {
  "as it is": (_, reply) => JSON.stringify(reply),
  "one extra key in every object": (schema, reply) =>
    JSON.stringify(rebuild(schema, reply, (part) => (isRecord(part) ? { ...part, note_to_self: "x" } : part))),
  "empty lists left out": (schema, reply) => JSON.stringify(rebuild(schema, reply, without(isEmptyList))),
  "empty lists null": (schema, reply) =>
    JSON.stringify(rebuild(schema, reply, (part) => (isEmptyList(part) ? null : part))),
  "nulls left out": (schema, reply) =>
    JSON.stringify(
      rebuild(
        schema,
        reply,
        without((part) => part === null),
      ),
    ),
  "numbers as text": (schema, reply) =>
    JSON.stringify(rebuild(schema, reply, (part) => (typeof part === "number" ? String(part) : part))),
  "enums in capitals": (schema, reply) => bendEnums(schema, reply, (part) => part.toUpperCase()),
  "enums with spaces around them": (schema, reply) => bendEnums(schema, reply, (part) => ` ${part} `),
  "enums with spaces inside": (schema, reply) => bendEnums(schema, reply, (part) => part.replaceAll("_", " ")),
  "a list of one": (_, reply) => JSON.stringify([reply]),
  "a wrapper key": (_, reply) => JSON.stringify({ response: reply }),
  "trailing commas": (_, reply) => JSON.stringify(reply, null, 1).replaceAll(/([\]}"\d])\n(\s*[\]}])/g, "$1,\n$2"),
  "single quotes": (_, reply) => singleQuoted(reply),
  "a comment": (_, reply) => `{ // here it is\n${JSON.stringify(reply).slice(1)}`,
};

function bendEnums(schema: Schema, reply: unknown, bend: (part: string) => string): string {
  const isEnum = ({ enum: own, anyOf }: Schema): boolean =>
    own !== undefined || ((anyOf as Schema[] | undefined)?.some((one) => one.enum) ?? false);
  return JSON.stringify(
    rebuild(schema, reply, (part, place) => (typeof part === "string" && isEnum(place) ? bend(part) : part)),
  );
}

function singleQuoted(value: unknown): string {
  if (typeof value === "string")
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(singleQuoted).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `'${key}': ${singleQuoted(part)}`)
    .join(", ")}}`;
}

/** The experts' replies as a model would send them, each bent in the same way. */
function bentPlayer(bend: (schema: Schema, reply: unknown) => string): (role: string) => Player {
  const expert = expertPlayer();
  return () => ({
    id: "bent",
    async play(role, input, turn) {
      const played = await expert.play(role, input, turn);
      if (!("value" in played.reply) || played.reply.value === null) return played;
      const text = bend(buildJsonSchema((role as AnyRole).reply), played.reply.value);
      return { ...played, reply: { text }, finish: "stop" };
    },
  });
}

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
