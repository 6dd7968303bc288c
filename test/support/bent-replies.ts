import { buildJsonSchema } from "../../src/engine/prompt.ts";
import type { Player } from "../../src/engine/player.ts";
import type { AnyRole } from "../../src/engine/role.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";
import { isRecord } from "../../src/text/json.ts";

export type Schema = Record<string, unknown>;

/** Rebuilds a value from the inside out, each part with the schema of its place. */
export function rebuild(schema: Schema, value: unknown, change: (value: unknown, schema: Schema) => unknown): unknown {
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
export const bends: Record<string, (schema: Schema, reply: unknown) => string> = {
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
  "raw line breaks": (_, reply) => breakLines(reply),
  "a comment": (_, reply) => `{ // here it is\n${JSON.stringify(reply).slice(1)}`,
};

function bendEnums(schema: Schema, reply: unknown, bend: (part: string) => string): string {
  const isEnum = ({ enum: own, anyOf }: Schema): boolean =>
    own !== undefined || ((anyOf as Schema[] | undefined)?.some((one) => one.enum) ?? false);
  return JSON.stringify(
    rebuild(schema, reply, (part, place) => (typeof part === "string" && isEnum(place) ? bend(part) : part)),
  );
}

/** Line breaks as they are, in texts that have some, and after the last key, where every reply can have one. */
function breakLines(reply: unknown): string {
  return `${JSON.stringify(reply).replaceAll(String.raw`\n`, "\n").slice(0, -1)}, "note": "one\ntwo"}`;
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
export function bentPlayer(bend: (schema: Schema, reply: unknown) => string): (role: string) => Player {
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
