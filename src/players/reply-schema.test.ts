import { expect, test } from "vitest";
import * as z from "zod";
import { buildReplySchema, makeStrictSchema } from "./call-model.ts";

const reply = z.object({
  id: z.string().min(3).max(8).describe("its id"),
  kind: z.enum(["a", "b"]),
  sure: z.number().min(0).max(1).nullable(),
  parts: z
    .array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("x"), default: z.string() }),
        z.object({ type: z.literal("y"), n: z.int() }),
      ]),
    )
    .min(1),
});

test("the native schema has only what strict modes take; what is left out is said in words", () => {
  const { strict } = buildReplySchema(reply);
  const text = JSON.stringify(strict);
  expect(text).not.toMatch(/"(?:minLength|maxLength|minimum|maximum|minItems|oneOf|\$schema|pattern|format)":/);
  expect(strict).toMatchObject({
    type: "object",
    additionalProperties: false,
    required: ["id", "kind", "sure", "parts"],
    properties: {
      id: { type: "string", description: "its id (minLength 3, maxLength 8)" },
      kind: { enum: ["a", "b"] },
      sure: { anyOf: [{ type: "number", description: "(minimum 0, maximum 1)" }, { type: "null" }] },
      parts: {
        description: "(minItems 1)",
        items: { anyOf: [{ additionalProperties: false }, { additionalProperties: false }] },
      },
    },
  });
});

test("a property that is named like a keyword stays", () => {
  const parts = (
    buildReplySchema(reply).strict.properties as Record<string, { items: { anyOf: { properties: object }[] } }>
  ).parts;
  expect(Object.keys(parts?.items.anyOf[0]?.properties ?? {})).toEqual(["type", "default"]);
});

test("as text the schema is whole, with closed objects", () => {
  const { text } = buildReplySchema(reply);
  expect(JSON.parse(text)).toMatchObject({ additionalProperties: false, properties: { id: { minLength: 3 } } });
  expect(text).not.toContain("$schema");
});

test("a schema is made once", () => {
  expect(buildReplySchema(reply)).toBe(buildReplySchema(reply));
});

test("definitions are closed too, references stay", () => {
  const schema = {
    $ref: "#/$defs/node",
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  };
  expect(makeStrictSchema(schema)).toEqual({
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: { next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
        required: ["next"],
        additionalProperties: false,
      },
    },
  });
});

test("a key that may be missing is required and may be null, in every object and both forms", () => {
  const loose = z.object({
    a: z.object({ b: z.string().optional(), c: z.preprocess((x) => x, z.string().nullable()) }),
  });
  const { strict, text } = buildReplySchema(loose);
  const inner = { required: ["b", "c"], properties: { b: { anyOf: [{ type: "string" }, { type: "null" }] } } };
  expect(strict).toMatchObject({ properties: { a: inner } });
  expect(JSON.parse(text)).toMatchObject({ properties: { a: inner } });
});

test("keys are required in the order in which they are written", () => {
  const ordered = z.object({ reasons: z.string().optional(), verdict: z.string() });
  expect(buildReplySchema(ordered).strict.required).toEqual(["reasons", "verdict"]);
});
