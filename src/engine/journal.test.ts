import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { EntryBody } from "../contract/journal.ts";
import { chainAfter, genesis, hashEntry, type Journal, openJournal } from "./journal.ts";

const body: EntryBody = { kind: "begin", version: 1, manifestHash: "" };

/** A journal whose entries become durable, or fail, when the test says so. */
function heldJournal() {
  const bodies: EntryBody[] = [];
  const waiting: { done(): void; failed(error: Error): void }[] = [];
  const append: Journal["append"] = (body) =>
    new Promise((done, failed) => {
      bodies.push(body);
      waiting.push({ done, failed });
    });
  return { journal: { entries: [], append, prompt: async () => null } satisfies Journal, bodies, waiting };
}

it("entries are handed over as they are written, and each write waits until its entry is durable", async () => {
  const { journal, bodies, waiting } = heldJournal();
  const writer = openJournal(journal);
  const order: number[] = [];
  const writes = [1, 2].map((n) => writer.write(body).then(() => order.push(n)));
  expect(bodies).toEqual([body, body]);
  waiting[0]?.done();
  await new Promise((done) => setImmediate(done));
  expect(order).toEqual([1]);
  waiting[1]?.done();
  await Promise.all(writes);
  expect(order).toEqual([1, 2]);
});

it("an entry that was only added is waited for by done, and its failure is told by whatever comes next", async () => {
  const { journal, bodies, waiting } = heldJournal();
  const writer = openJournal(journal);
  writer.add(body);
  let isDone = false;
  const done = writer.done().then(() => (isDone = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  waiting[0]?.done();
  await done;
  writer.add(body);
  waiting[1]?.failed(new Error("the disk is full"));
  await expect(writer.done()).rejects.toThrow("the disk is full");
  await expect(writer.write(body)).rejects.toThrow("the disk is full");
  expect(bodies).toHaveLength(2);
});

it("nothing is written after an entry that could not be stored", async () => {
  const { journal, bodies, waiting } = heldJournal();
  const writer = openJournal(journal);
  const first = writer.write(body);
  waiting[0]?.failed(new Error("the disk is full"));
  await expect(first).rejects.toThrow("the disk is full");
  await expect(writer.write(body)).rejects.toThrow("the disk is full");
  writer.add(body);
  expect(bodies).toHaveLength(1);
});

it("an entry is hashed with its place: the same words at another place have another hash", () => {
  const text = JSON.stringify(body);
  expect(hashEntry(genesis, 0, text)).toBe(
    createHash("sha256")
      .update(`${"0".repeat(64)}\n0\n{"kind":"begin","version":1,"manifestHash":""}`)
      .digest("hex"),
  );
  expect(hashEntry(genesis, 1, text)).not.toBe(hashEntry(genesis, 0, text));
  expect(hashEntry("1".repeat(64), 0, text)).not.toBe(hashEntry(genesis, 0, text));
});

it("a chain that goes on after entries goes on from their last place and hash", () => {
  const link = chainAfter([]);
  const [first, second] = [link(body).entry, link(body).entry];
  expect([first.seq, first.prev, second.seq, second.prev]).toEqual([0, genesis, 1, first.hash]);
  expect(chainAfter([first])(body).entry).toEqual(second);
  const renumbered = chainAfter([{ ...first, seq: 6 }])(body).entry;
  expect(renumbered).toMatchObject({ seq: 7, prev: first.hash });
  expect(renumbered.hash).not.toBe(second.hash);
});
