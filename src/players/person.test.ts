import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { turnOf } from "../../test/support/turn.ts";
import { defineRole } from "../engine/role.ts";
import {
  createTerminalPerson,
  listReplyFields,
  openTerminalPerson,
  type PersonForm,
  personPlayer,
  readField,
} from "./person.ts";

const role = defineRole({
  name: "judge",
  reply: z.strictObject({
    verdict: z.enum(["guilty", "not guilty"]),
    reason: z.string(),
    sure: z.number(),
    notes: z.array(z.string()),
  }),
  prompt: (input: { text: string }) => ({
    instructions: "Judge.",
    blocks: [{ label: "CASE", text: input.text }],
    own: [{ label: "YOU", text: "the judge" }],
  }),
});
const input = { text: "He took it.\u001b[2J\u0007" };
const enter = "\r";

/** A terminal whose keys are pressed when a question that contains the text is shown. */
function terminal(keys: [string, string][]) {
  const inputStream = new PassThrough();
  const shown: string[] = [];
  const left = [...keys];
  const output = new PassThrough();
  output.on("data", (data: Buffer) => {
    shown.push(data.toString());
    const next = left[0];
    if (next === undefined || !data.toString().includes(next[0])) return;
    left.shift();
    setImmediate(() => {
      for (const one of next[1].match(/\u001b\[\w|[^]/g) ?? []) inputStream.write(one);
    });
  });
  return { port: createTerminalPerson({ input: inputStream, output }), text: () => shown.join("") };
}

describe("a person", () => {
  test("without a place to answer, the turn parks and nothing is reserved", async () => {
    const turn = turnOf(role, input);
    await expect(personPlayer(null).play(role, input, turn)).rejects.toMatchObject({
      code: "parked",
      message: expect.stringContaining("the turn of judge in round 1 waits for a person"),
    });
    expect(turn.log.reserved).toEqual([]);
  });

  test("is shown the prompt, the schema and the problems of an earlier answer", async () => {
    const forms: PersonForm[] = [];
    const good = { verdict: "guilty", reason: "r", sure: 1, notes: [] };
    const port = { answer: async (form: PersonForm) => (forms.push(form), good) };
    const problems = [{ code: "schema", message: "expected number", severity: "reject" as const }];
    const played = await personPlayer(port).play(role, input, turnOf(role, input, { repair: { raw: "{}", problems } }));
    expect(played).toMatchObject({ reply: { value: good }, finish: null, usage: { calls: 1, costUsd: 0 } });
    expect(forms[0]).toMatchObject({
      prompt: { system: "Judge.", shared: [expect.stringContaining("He took it.")] },
      schema: { required: ["verdict", "reason", "sure", "notes"] },
      earlier: { problems },
    });
  });

  test("whose answer breaks a rule is asked again as often as it takes, and waits when nothing was mended", async () => {
    const good = { verdict: "guilty", reason: "r", sure: 1, notes: [] };
    const given = [{}, { verdict: "maybe" }, { ...good, sure: "very" }, good];
    const port = { by: "Noor", answer: async () => given.shift() };
    const played = await personPlayer(port).play(role, input, turnOf(role, input));
    expect(played).toMatchObject({ reply: { value: good }, saidBy: "person/Noor" });
    const stubborn = personPlayer({ answer: async () => ({ verdict: "maybe" }) });
    await expect(stubborn.play(role, input, turnOf(role, input))).rejects.toMatchObject({ code: "parked" });
  });

  test("at a terminal lets an answer stand with a reason", async () => {
    const strict = defineRole({
      ...role,
      check: () => [{ code: "rule", message: "cite something", severity: "reject" as const }],
    });
    const { port, text } = terminal([
      ["verdict", enter],
      ["reason", `it is so${enter}`],
      ["sure", `1${enter}`],
      ["notes", `[]${enter}`],
      ["Why it should stand", `I was there${enter}`],
    ]);
    const played = await personPlayer(port).play(strict, input, turnOf(strict, input));
    expect(played).toMatchObject({ overrule: { why: "I was there" }, reply: { value: { reason: "it is so" } } });
    expect(text()).toContain("cite something");
  });

  test("who has no answer abstains, and is not asked again", async () => {
    const played = await personPlayer({ answer: async () => null }).play(role, input, turnOf(role, input));
    expect(played).toMatchObject({ reply: { value: null }, final: true });
  });

  test("answers field by field at a terminal, and text from outside cannot steer it", async () => {
    const { port, text } = terminal([
      ["verdict", `\u001b[B${enter}`],
      ["reason", `too dark${enter}`],
      ["sure", `0.7${enter}`],
      ["notes", `["a"]${enter}`],
    ]);
    const played = await personPlayer(port).play(role, input, turnOf(role, input));
    expect(played.reply).toEqual({ value: { verdict: "not guilty", reason: "too dark", sure: 0.7, notes: ["a"] } });
    expect(text()).toContain("He took it.");
    expect(text()).not.toContain("\u001b[2J");
    expect(text()).not.toContain("\u0007");
  });

  test("who leaves a question parks the run", async () => {
    const { port } = terminal([["verdict", "\u0003"]]);
    await expect(personPlayer(port).play(role, input, turnOf(role, input))).rejects.toMatchObject({ code: "parked" });
  });

  test("a stopped turn leaves the terminal", async () => {
    const stop = new AbortController();
    const { port } = terminal([]);
    const playing = personPlayer(port).play(role, input, turnOf(role, input, { signal: stop.signal }));
    setImmediate(() => stop.abort());
    await expect(playing).rejects.toMatchObject({ code: "interrupted" });
  });

  test("is not at the terminal when there is none", () => {
    if (process.stdin.isTTY && process.stderr.isTTY) expect(openTerminalPerson()).not.toBeNull();
    else expect(openTerminalPerson()).toBeNull();
  });
});

describe("a form", () => {
  test("asks for simple fields simply and for the rest as JSON", () => {
    const schema = z.toJSONSchema(
      z.strictObject({
        a: z.string(),
        b: z.number().nullable().describe("how much"),
        c: z.enum(["x", "y"]).nullable(),
        d: z.boolean(),
        e: z.array(z.string()),
        f: z.union([z.string(), z.number()]),
        g: z.literal("only"),
        h: z.int(),
      }),
    );
    expect(listReplyFields(schema as Record<string, unknown>)).toEqual([
      { name: "a", about: "", nullable: false, kind: "text" },
      { name: "b", about: "how much", nullable: true, kind: "number", least: -Infinity, most: Infinity },
      { name: "c", about: "", nullable: true, kind: "choice", choices: ["x", "y"] },
      { name: "d", about: "", nullable: false, kind: "boolean" },
      { name: "e", about: "", nullable: false, kind: "json" },
      { name: "f", about: "", nullable: false, kind: "json" },
      { name: "g", about: "", nullable: false, kind: "choice", choices: ["only"] },
      { name: "h", about: "", nullable: false, kind: "number", least: expect.any(Number), most: expect.any(Number) },
    ]);
    expect(listReplyFields({ anyOf: [] })).toBeNull();
  });

  test.each([
    ["number", false, "0.5", { value: 0.5 }],
    ["number", false, "half", { problem: "a number from 0 to 1, please" }],
    ["number", false, "", { problem: "a number from 0 to 1, please" }],
    ["number", false, "7", { problem: "a number from 0 to 1, please" }],
    ["number", true, " ", { value: null }],
    ["text", false, "", { value: "" }],
    ["text", true, "", { value: null }],
    ["json", false, '{"a":1}', { value: { a: 1 } }],
  ] as const)("a %s (nullable %s) typed as %j", (kind, nullable, typed, expected) => {
    expect(readField({ name: "x", about: "", nullable, kind, least: 0, most: 1 }, typed)).toEqual(expected);
  });
});
