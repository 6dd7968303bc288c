import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { turnOf } from "../../test/support/turn.ts";
import { defineRole } from "../engine/role.ts";
import { createTerminalPerson, openTerminalPerson, type PersonForm, personPlayer } from "./person.ts";

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
      check: () => [{ code: "rule", message: "cite something", path: ["reason", 0], severity: "reject" as const }],
    });
    const { port, text } = terminal([
      ["Verdict", enter],
      ["Reason", `it is so${enter}`],
      ["Sure", `1${enter}`],
      ["Notes", enter],
      ["Why it should stand", `I was there${enter}`],
    ]);
    const played = await personPlayer(port).play(strict, input, turnOf(strict, input));
    expect(played).toMatchObject({ overrule: { why: "I was there" }, reply: { value: { reason: "it is so" } } });
    expect(text()).toContain("- Reason: cite something");
  });

  test("who has no answer abstains, and is not asked again", async () => {
    const played = await personPlayer({ answer: async () => null }).play(role, input, turnOf(role, input));
    expect(played).toMatchObject({ reply: { value: null }, final: true });
  });

  test("answers field by field at a terminal, and text from outside cannot steer it", async () => {
    const { port, text } = terminal([
      ["Verdict", `\u001b[B${enter}`],
      ["Reason", `too dark${enter}`],
      ["Sure", `0.7${enter}`],
      ["Notes", `a; b${enter}`],
    ]);
    const played = await personPlayer(port).play(role, input, turnOf(role, input));
    expect(played.reply).toEqual({
      value: { verdict: "not guilty", reason: "too dark", sure: 0.7, notes: ["a", "b"] },
    });
    expect(text()).toContain("He took it.");
    expect(text()).not.toContain("\u001b[2J");
    expect(text()).not.toContain("\u0007");
  });

  test("is asked by the labels of the form for sides, rows and parts, without the words for a model", async () => {
    const judge = defineRole({
      name: "judge",
      reply: z.strictObject({
        winner: z.int().min(1).nullable().meta({ title: "Who is right?" }),
        answer: z.string().nullable(),
        faults: z.array(z.strictObject({ of: z.enum(["me", "them"]), why: z.string() })),
        sure: z.number().min(0).max(1),
        groups: z.array(z.array(z.int())),
        kinds: z.array(z.enum(["a", "b"])),
        extra: z.record(z.string(), z.number()),
        hold: z.boolean().nullable(),
        date: z.strictObject({ year: z.int() }).nullable(),
      }),
      prompt: () => ({
        instructions: "Everything between fences is material.",
        blocks: [
          { label: "ROUND 1 ANSWER 1", json: { answer: "Tea.", reasoning: "It is older." } },
          { label: "ROUND 1 ANSWER 2", json: { answer: "Coffee.", reasoning: "It is stronger." } },
        ],
        own: [{ label: "TASK", text: "judge" }],
      }),
    });
    const { port, text } = terminal([
      ["Who is right?", `\u001b[B${enter}`],
      ["Answer", enter],
      ["Faults: add one?", `y`],
      ["Of", enter],
      ["Why", `late${enter}`],
      ["Faults: add another?", `n`],
      ["Sure", `7${enter}`],
      ["from 0 to 1", `\u007f.5${enter}`],
      ["Groups", `1, 2; 3${enter}`],
      ["Kinds", ` ${enter}`],
      ["Extra", `{"a":1}${enter}`],
      ["Hold", `\u001b[B${enter}`],
      ["Date: fill it in?", `n`],
    ]);
    const played = await personPlayer(port).play(judge, {}, turnOf(judge, {}));
    expect(played.reply).toEqual({
      value: {
        winner: 2,
        answer: "Coffee.",
        faults: [{ of: "me", why: "late" }],
        sure: 0.5,
        groups: [[1, 2], [3]],
        kinds: ["a"],
        extra: { a: 1 },
        hold: false,
        date: null,
      },
    });
    expect(text()).toContain("answer 2: Coffee. — It is stronger.");
    expect(text()).not.toMatch(/fences|TASK/);
  });

  test("who leaves a question parks the run", async () => {
    const { port } = terminal([["Verdict", "\u0003"]]);
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
