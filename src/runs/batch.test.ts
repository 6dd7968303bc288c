import { expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import { ParleyError } from "../contract/error.ts";
import { memoryStore } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { type BatchResult, type CaseRow, runBatch } from "./batch.ts";

const ids = ["one", "two", "three"];

async function* rowsOf(problems: Record<string, string> = {}): AsyncGenerator<CaseRow> {
  for (const [index, id] of ids.entries())
    yield { id, line: index + 1, input: { question: id }, problem: problems[id] ?? null };
}

type Setting = { store: Store; troubled?: string; error?: () => Error; rows?: AsyncIterable<CaseRow>; calls?: number };

/** Runs the three cases; the troubled one fails. Gives each case's outcome, and whether it was done before. */
async function run({ store, troubled, error, rows = rowsOf(), calls }: Setting) {
  const asked: string[] = [];
  const player = playerOf((turn) => {
    const question = JSON.stringify(turn.prompt.blocks[0]);
    const id = ids.find((one) => question.includes(`"${one}"`)) ?? "";
    asked.push(id);
    if (id === troubled) throw error?.() ?? new ParleyError("endpoint_failed", "the endpoint answered 500");
    return { value: 1 };
  });
  const done: Record<string, { outcome: string; reused: boolean }> = {};
  const results: BatchResult[] = [];
  const request = {
    cast: "test",
    config: { rounds: 1, speakers: ["a"] },
    ...(calls === undefined ? {} : { budget: { calls } }),
  };
  const onDone = ({ case_id, outcome }: BatchResult, reused: boolean): void => {
    done[case_id] = { outcome, reused };
  };
  const setting = { store, castOf: async () => () => player };
  for await (const result of runBatch(setting, { pack: toyPack, rows, request, concurrency: 1, onDone }))
    results.push(result);
  return { done, results, asked };
}

const decided = { outcome: "decided", reused: false };
const reused = { outcome: "decided", reused: true };

it("a failed case is a result and not the end, and is not counted as done: the next batch runs it again, and only it", async () => {
  const store = memoryStore();
  const first = await run({ store, troubled: "two" });
  expect(first.done).toEqual({ one: decided, two: { outcome: "failed", reused: false }, three: decided });
  expect(first.results.map((result) => result.case_id)).toEqual(ids);
  expect(first.results[1]).toMatchObject({ outcome: "failed", reasons: ["the endpoint answered 500"] });

  const again = await run({ store, troubled: "two" });
  expect(again.done).toEqual({ one: reused, two: { outcome: "failed", reused: false }, three: reused });
  expect(again.asked).toEqual(["two"]);

  const third = await run({ store });
  expect(third.done).toEqual({ one: reused, two: decided, three: reused });
  expect(third.results[1]?.run, "it goes on with its run").toBe(first.results[1]?.run);
  expect((await run({ store })).done).toEqual({ one: reused, two: reused, three: reused });
});

it("a case that ran out of its budget is not counted as done", async () => {
  const store = memoryStore();
  const exhausted = { outcome: "budget_exhausted", reused: false };
  const all = { one: exhausted, two: exhausted, three: exhausted };
  expect((await run({ store, calls: 0 })).done).toEqual(all);
  expect((await run({ store, calls: 0 })).done).toEqual(all);
});

it("a row that cannot be read is an error of its own, and no run", async () => {
  const store = memoryStore();
  const { done, results } = await run({ store, rows: rowsOf({ two: "line 2 is not JSON" }) });
  expect(done).toEqual({ one: decided, two: { outcome: "error", reused: false }, three: decided });
  expect(results[1]).toMatchObject({ run: null, reasons: ["line 2 is not JSON"], decision: null, usage: null });
  expect(await store.list()).toHaveLength(2);
});

it("a case whose process died goes on where it stopped", async () => {
  const store = memoryStore();
  const stopped = () => new ParleyError("parked", "waits for a person");
  const first = await run({ store, troubled: "two", error: stopped });
  expect(first.done.two).toEqual({ outcome: "error", reused: false });
  const second = await run({ store });
  expect(second.done).toEqual({ one: reused, two: decided, three: reused });
  expect(second.results[1]?.run).toBe(first.results[1]?.run);
});

it("trouble that every case would have ends the batch", async () => {
  const unplayable = () => new ParleyError("bad_cast", "nobody plays a");
  await expect(run({ store: memoryStore(), troubled: "one", error: unplayable })).rejects.toMatchObject({
    code: "bad_cast",
  });
});
