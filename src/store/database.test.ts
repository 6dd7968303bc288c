import { expect, it } from "vitest";
import { ParleyError } from "../contract/error.ts";
import type { Connection, Database } from "./database.ts";
import { GroupCommit, Patience, type PatienceOptions } from "./database.ts";

/** A transaction over a list: what was added is taken back when the work fails. */
function listTransactions() {
  const kept: string[] = [];
  let count = 0;
  const inTransaction: InTransaction = async (work) => {
    const before = kept.length;
    count += 1;
    try {
      return await work({} as Connection);
    } catch (error) {
      kept.length = before;
      throw error;
    }
  };
  return { kept, inTransaction, count: () => count };
}

type InTransaction = Database["transaction"];

function groupCommit(transaction: InTransaction, options: PatienceOptions = { waitMs: 0 }): GroupCommit {
  return new GroupCommit({ transaction, explain: (error: unknown) => error } as Database, new Patience(options));
}

it("writes that come together share one transaction and keep their order", async () => {
  const { kept, inTransaction, count } = listTransactions();
  const commits = groupCommit(inTransaction);
  await Promise.all(["a", "b", "c"].map((name) => commits.add(`run-${name}`, async () => kept.push(name))));
  expect(kept).toEqual(["a", "b", "c"]);
  expect(count()).toBe(1);
});

it("nothing is durable before its promise resolves, and everything is when it does", async () => {
  const { kept, inTransaction } = listTransactions();
  const commits = groupCommit(inTransaction);
  const written = commits.add("run", async () => kept.push("entry"));
  expect(kept).toEqual([]);
  await written;
  expect(kept).toEqual(["entry"]);
});

it("a write that fails takes its run's writes with it, and no other run's", async () => {
  const { kept, inTransaction } = listTransactions();
  const commits = groupCommit(inTransaction);
  const settled = await Promise.allSettled([
    commits.add("good", async () => kept.push("good 1")),
    commits.add("bad", async () => kept.push("bad 1")),
    commits.add("bad", async () => {
      throw new Error("too big");
    }),
    commits.add("bad", async () => kept.push("bad 3")),
    commits.add("good", async () => kept.push("good 2")),
  ]);
  expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
  expect(kept).toEqual(["good 1", "good 2"]);
});

/** Transactions that find the store locked a number of times. */
function lockedFor(times: number) {
  const list = listTransactions();
  let left = times;
  const inTransaction: InTransaction = async (work) => {
    left -= 1;
    if (left >= 0) throw new ParleyError("store_failed", "locked", { details: { mayPass: true } });
    return list.inTransaction(work);
  };
  return { ...list, inTransaction };
}

it("trouble that passes is waited for: every write is kept, in order, and who waits is told once", async () => {
  const { kept, inTransaction } = lockedFor(2);
  const heard: string[] = [];
  const commits = groupCommit(inTransaction, { onWait: ({ message }) => heard.push(message) });
  const first = commits.add("a", async () => kept.push("a 1"));
  const late = commits.add("b", async () => kept.push("b 1"));
  await Promise.all([first, late]);
  expect(kept).toEqual(["a 1", "b 1"]);
  expect(heard).toEqual(["locked"]);
});

it("a write that succeeds ends a wait: who waits again is told again, and has the whole time again", async () => {
  const { kept, inTransaction } = listTransactions();
  const heard: string[] = [];
  let isLocked = true;
  const sometimes: InTransaction = (work) => {
    if (!isLocked) return inTransaction(work);
    isLocked = false;
    throw new ParleyError("store_failed", "locked", { details: { mayPass: true } });
  };
  const commits = groupCommit(async (work) => sometimes(work), { onWait: ({ message }) => heard.push(message) });
  await commits.add("a", async () => kept.push("a 1"));
  isLocked = true;
  await commits.add("a", async () => kept.push("a 2"));
  expect(kept).toEqual(["a 1", "a 2"]);
  expect(heard).toEqual(["locked", "locked"]);
});

it("trouble that passes is waited for also when writes are tried run by run", async () => {
  const list = listTransactions();
  let count = 0;
  const inTransaction: InTransaction = async (work) => {
    count += 1;
    if (count > 1 && count < 5) throw new ParleyError("store_failed", "locked", { details: { mayPass: true } });
    return list.inTransaction(work);
  };
  const commits = groupCommit(inTransaction, {});
  const settled = await Promise.allSettled([
    commits.add("a", async () => list.kept.push("a 1")),
    commits.add("bad", async () => {
      throw new Error("held by another process");
    }),
    commits.add("b", async () => list.kept.push("b 1")),
    commits.add("a", async () => list.kept.push("a 2")),
  ]);
  expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(list.kept).toEqual(["a 1", "a 2", "b 1"]);
});

it("trouble that lasts longer than it may fails every write, and the next at once", async () => {
  const { kept, inTransaction } = lockedFor(Number.POSITIVE_INFINITY);
  const heard: string[] = [];
  const commits = groupCommit(inTransaction, { waitMs: 120, onWait: () => heard.push("") });
  await expect(commits.add("a", async () => kept.push("a"))).rejects.toThrow("locked");
  await expect(commits.add("b", async () => kept.push("b"))).rejects.toThrow("locked");
  expect(heard).toHaveLength(1);
  expect(kept).toEqual([]);
});

it("a stop ends the wait", async () => {
  const stop = new AbortController();
  const { inTransaction } = lockedFor(Number.POSITIVE_INFINITY);
  const commits = groupCommit(inTransaction, { signal: stop.signal, onWait: () => stop.abort() });
  await expect(commits.add("a", async () => undefined)).rejects.toThrow("locked");
});
