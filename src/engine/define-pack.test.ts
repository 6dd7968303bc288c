import { describe, expect, it } from "vitest";
import * as z from "zod";
import { playerOf } from "../../test/support/toy.ts";
import { definePack } from "./define-pack.ts";
import { defineRole } from "./role.ts";
import { runDebate } from "./run-debate.ts";

const speaker = defineRole({
  name: "speaker",
  reply: z.strictObject({ said: z.string(), why: z.string() }),
  prompt: ({ text }: { text: string }) => ({ instructions: "Speak.", blocks: [], own: [{ label: "TEXT", text }] }),
});

/** A pack that says nothing about showing. */
const bare = definePack({
  name: "bare",
  summary: "Says whether.",
  input: z.strictObject({ id: z.string(), text: z.string() }).meta({ examples: [{ id: "1", text: "Is it?" }] }),
  config: z.strictObject({}),
  decision: z.strictObject({
    answer: z.string(),
    confidence: z.number(),
    settled: z.boolean(),
    parts: z.array(z.strictObject({ part: z.string(), weight: z.number() })),
  }),
  roles: () => [speaker],
  async protocol(debate, { input: { text } }) {
    const reply = await debate.round(1, () => debate.tryAsk(speaker, { text }));
    if (!reply) return { outcome: "undecided", reasons: ["nobody spoke"] };
    const decision = { answer: reply.said, confidence: 0.5, settled: true, parts: [{ part: "word", weight: 2 }] };
    return { outcome: "decided", reasons: [], decision };
  },
});

const run = (reply: unknown) =>
  runDebate({ pack: bare, input: { id: "1", text: "Is it?" }, config: {}, cast: () => playerOf(() => reply) });

describe("a pack that says nothing about showing", () => {
  it("shows its decision by its schema: the first field as the answer, the rest as facts", async () => {
    const sections = bare.sections(await run({ said: "yes", why: "it was seen" }));
    expect(sections.map(({ kind, title }) => [kind, title])).toEqual([
      ["verdict", "Is it?"],
      ["facts", "Decision"],
      ["table", "Parts"],
      ["steps", "Round 1"],
    ]);
    expect(sections[0]).toMatchObject({ answer: "yes", confidence: 0.5, tone: "good" });
    expect(sections[1]).toMatchObject({
      rows: [{ label: "settled", value: "yes" }],
    });
    expect(sections[3]).toMatchObject({ steps: [{ label: "speaker", outcome: "yes", detail: "it was seen" }] });
  });

  it("takes its examples, subject and headline from its schemas", async () => {
    expect(bare.examples).toEqual([{ name: "example 1", input: { id: "1", text: "Is it?" } }]);
    const finished = await run({ said: "yes", why: "it was seen" });
    expect(bare.story({ ...finished, decision: null }).subject).toBe("Is it?");
    expect(bare.sections(finished)[0]).toMatchObject({ headline: { answer: "yes", settled: "yes" } });
  });

  it("needs no decision to be undecided, and says so on its page", async () => {
    const finished = await run("no JSON at all");
    expect(finished.result).toMatchObject({ outcome: "undecided", decision: null, reasons: ["nobody spoke"] });
    expect(bare.sections(finished)[0]).toMatchObject({ answer: "No decision (undecided)", points: ["nobody spoke"] });
  });
});
