import { expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import { noCost } from "../contract/budget.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { createMemoryJournal, recall } from "./journal.ts";
import { runDebate } from "./run-debate.ts";

/** One speaker, two rounds. A call may cost 20 tokens and costs 10, so the whole debate fits into 30 and no less. */
const run = (entries: JournalEntry[], tokens: number) =>
  runDebate({
    pack: toyPack,
    input: { question: "How many?" },
    config: { rounds: 2, speakers: ["a"] },
    cast: () => playerOf(() => ({ value: 1 }), 10),
    journal: createMemoryJournal(entries),
    budget: { tokens },
  });

/** The journal of a whole debate, cut after the nth entry of a kind: what a process leaves that dies at that moment. */
async function journalCutAfter(kind: "call" | "attempt", nth: number): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  await run(entries, 30);
  const places = entries.flatMap((entry, index) => (entry.body.kind === kind ? [index] : []));
  return entries.slice(0, (places[nth - 1] ?? Number.NaN) + 1);
}

it("a debate whose calls all came back has lost nothing", async () => {
  const { spent, lost } = recall(await journalCutAfter("attempt", 2));
  expect({ spent, lost }).toEqual({ spent: { calls: 2, tokens: 20, usd: 0 }, lost: noCost });
});

it("a call that never came back is lost, at the most it could have cost", async () => {
  const { spent, lost } = recall(await journalCutAfter("call", 2));
  expect({ spent, lost }).toEqual({
    spent: { calls: 1, tokens: 10, usd: 0 },
    lost: { calls: 1, tokens: 20, usd: 0 },
  });
});

it.each([
  [49, "budget_exhausted"],
  [50, "decided"],
])("a call lost with its process is charged to the resumed debate: %i tokens end it as %s", async (tokens, outcome) => {
  const entries = await journalCutAfter("call", 1);
  const { result } = await run(entries, tokens);
  expect(result.outcome).toBe(outcome);
  expect(result.spend.tokens, "what was lost is not known to be spent").toBeLessThanOrEqual(20);
  expect(entries.at(-1)?.body).toMatchObject({ kind: "end", lost: { calls: 1, tokens: 20 } });
});

it("a call that came back is not charged again as lost when the debate is resumed", async () => {
  const entries = await journalCutAfter("attempt", 1);
  const { result } = await run(entries, 30);
  expect(result).toMatchObject({ outcome: "decided", spend: { calls: 2, tokens: 20 } });
  expect(entries.at(-1)?.body).toMatchObject({ kind: "end", lost: noCost });
});

it("a debate resumed twice remembers what both dead processes lost", async () => {
  const entries = await journalCutAfter("call", 1);
  await run(entries, 60);
  const second = entries.findIndex((entry, index) => index > 1 && entry.body.kind === "call");
  const { lost } = recall(entries.slice(0, second + 1));
  expect(lost).toEqual({ calls: 2, tokens: 40, usd: 0 });
});

it("the time of a run goes on where the last reply came, not where it was asked for", async () => {
  const entries = await journalCutAfter("attempt", 1);
  const last = entries.at(-1)?.body;
  if (last?.kind !== "attempt") throw new Error("the last entry is an attempt");
  Object.assign(last.attempt, { startedMs: 1_000, durationMs: 500 });
  expect(recall(entries).elapsedMs).toBe(1_500);
});
