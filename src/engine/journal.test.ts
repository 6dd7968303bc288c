import { expect, it } from "vitest";
import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import { type Journal, openJournal, promptFrom } from "./journal.ts";

const body: EntryBody = { kind: "begin", version: 1, manifestHash: "" };

/** A journal whose entries become durable, or fail, when the test says so. */
function heldJournal() {
  const entries: JournalEntry[] = [];
  const waiting: { done(): void; failed(error: Error): void }[] = [];
  const append: Journal["append"] = (entry) =>
    new Promise((done, failed) => {
      entries.push(entry);
      waiting.push({ done, failed });
    });
  return { journal: { entries: [], append, prompt: async () => null } satisfies Journal, entries, waiting };
}

it("entries are handed over as they are written, and each write waits until its entry is durable", async () => {
  const { journal, entries, waiting } = heldJournal();
  const writer = openJournal(journal);
  const order: number[] = [];
  const writes = [1, 2].map((n) => writer.write(body).then(() => order.push(n)));
  expect(entries.map((entry) => entry.seq)).toEqual([0, 1]);
  waiting[0]?.done();
  await new Promise((done) => setImmediate(done));
  expect(order).toEqual([1]);
  waiting[1]?.done();
  await Promise.all(writes);
  expect(order).toEqual([1, 2]);
});

it("nothing is written after an entry that could not be stored", async () => {
  const { journal, entries, waiting } = heldJournal();
  const writer = openJournal(journal);
  const first = writer.write(body);
  waiting[0]?.failed(new Error("the disk is full"));
  await expect(first).rejects.toThrow("the disk is full");
  await expect(writer.write(body)).rejects.toThrow("the disk is full");
  expect(entries).toHaveLength(1);
});

it("a piece that comes before itself, or is not what its name says, is no prompt, and no endless walk", () => {
  const loop = { hash: "a", parent: "a", text: "again" };
  expect(() => promptFrom("a", () => loop)).toThrow(expect.objectContaining({ code: "corrupt_store" }));
});
