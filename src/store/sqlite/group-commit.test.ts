import { expect, it } from "vitest";
import { ParleyError } from "../../contract/error.ts";
import { groupCommit } from "./group-commit.ts";
import { createPatience } from "../patience.ts";

/** A transaction over a list: what was added is taken back when the work fails. */
function listTransactions() {
  const kept: string[] = [];
  let count = 0;
  const inTransaction = (work: () => void): void => {
    const before = kept.length;
    count += 1;
    try {
      work();
    } catch (error) {
      kept.length = before;
      throw error;
    }
  };
  return { kept, inTransaction, count: () => count };
}

it("writes that come together share one transaction and keep their order", async () => {
  const { kept, inTransaction, count } = listTransactions();
  const commits = groupCommit(inTransaction);
  await Promise.all(["a", "b", "c"].map((name) => commits.add(`run-${name}`, () => void kept.push(name))));
  expect(kept).toEqual(["a", "b", "c"]);
  expect(count()).toBe(1);
});

it("nothing is durable before its promise resolves, and everything is when it does", async () => {
  const { kept, inTransaction } = listTransactions();
  const commits = groupCommit(inTransaction);
  const written = commits.add("run", () => void kept.push("entry"));
  expect(kept).toEqual([]);
  await written;
  expect(kept).toEqual(["entry"]);
});

it("a write that fails takes its run's writes with it, and no other run's", async () => {
  const { kept, inTransaction } = listTransactions();
  const commits = groupCommit(inTransaction);
  const settled = await Promise.allSettled([
    commits.add("good", () => void kept.push("good 1")),
    commits.add("bad", () => void kept.push("bad 1")),
    commits.add("bad", () => {
      throw new Error("too big");
    }),
    commits.add("bad", () => void kept.push("bad 3")),
    commits.add("good", () => void kept.push("good 2")),
  ]);
  expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
  expect(kept).toEqual(["good 1", "good 2"]);
});

it("flush commits what is waiting at once", () => {
  const { kept, inTransaction } = listTransactions();
  const commits = groupCommit(inTransaction);
  void commits.add("run", () => void kept.push("entry"));
  commits.flush();
  expect(kept).toEqual(["entry"]);
});

/** Transactions that find the store locked a number of times. */
function lockedFor(times: number) {
  const list = listTransactions();
  let left = times;
  const inTransaction = (work: () => void): void => {
    left -= 1;
    if (left >= 0) throw new ParleyError("store_failed", "locked", { details: { mayPass: true } });
    list.inTransaction(work);
  };
  return { ...list, inTransaction };
}

it("trouble that passes is waited for: every write is kept, in order, and who waits is told once", async () => {
  const { kept, inTransaction } = lockedFor(2);
  const told: string[] = [];
  const commits = groupCommit(inTransaction, createPatience({ onWait: ({ message }) => told.push(message) }));
  const first = commits.add("a", () => void kept.push("a 1"));
  const late = commits.add("b", () => void kept.push("b 1"));
  await Promise.all([first, late]);
  expect(kept).toEqual(["a 1", "b 1"]);
  expect(told).toEqual(["locked"]);
});

it("trouble that passes is waited for also when writes are tried run by run", async () => {
  const list = listTransactions();
  let count = 0;
  const inTransaction = (work: () => void): void => {
    count += 1;
    if (count > 1 && count < 5) throw new ParleyError("store_failed", "locked", { details: { mayPass: true } });
    list.inTransaction(work);
  };
  const commits = groupCommit(inTransaction, createPatience());
  const settled = await Promise.allSettled([
    commits.add("a", () => void list.kept.push("a 1")),
    commits.add("bad", () => {
      throw new Error("held by another process");
    }),
    commits.add("b", () => void list.kept.push("b 1")),
    commits.add("a", () => void list.kept.push("a 2")),
  ]);
  expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(list.kept).toEqual(["a 1", "a 2", "b 1"]);
});

it("trouble that lasts longer than it may fails every write, and the next at once", async () => {
  const { kept, inTransaction } = lockedFor(Number.POSITIVE_INFINITY);
  const told: string[] = [];
  const commits = groupCommit(inTransaction, createPatience({ waitMs: 120, onWait: () => told.push("") }));
  await expect(commits.add("a", () => void kept.push("a"))).rejects.toThrow("locked");
  await expect(commits.add("b", () => void kept.push("b"))).rejects.toThrow("locked");
  expect(told).toHaveLength(1);
  expect(kept).toEqual([]);
});

it("a stop ends the wait", async () => {
  const stop = new AbortController();
  const { inTransaction } = lockedFor(Number.POSITIVE_INFINITY);
  const commits = groupCommit(inTransaction, createPatience({ signal: stop.signal, onWait: () => stop.abort() }));
  await expect(commits.add("a", () => undefined)).rejects.toThrow("locked");
});
