import { expect, test } from "vitest";
import { BurstWatch } from "./burst-watch.ts";
import type { FollowedLines } from "./follow-file.ts";
import { watchIncidents } from "./watch-incidents.ts";

const time = (second: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, second)).toISOString();
const write = (from: number, count: number, level: string) =>
  Array.from({ length: count }, (_, index) => `${time(from + index)} ${level} [cart] order ${index} ${level}`);

async function watch(batches: FollowedLines[], clock = { ms: 0 }) {
  async function* source() {
    for (const batch of batches) {
      clock.ms += 10_000;
      yield batch;
    }
  }
  const seen = [];
  for await (const incident of watchIncidents(source(), () => clock.ms)) seen.push(incident);
  return seen;
}

test("a burst is one incident, with the lines before it and their numbers", async () => {
  const seen = await watch([
    { lines: write(0, 100, "INFO"), old: true },
    { lines: write(100, 20, "ERROR"), old: false },
    { lines: [], old: false },
    { lines: write(120, 20, "ERROR"), old: false },
  ]);
  expect(seen).toMatchObject([{ firstLine: 1 }]);
  expect(seen[0]?.lines.length).toBe(120);
});

test("quiet logs and single errors are no incident; an incident that goes on when the watching begins is one", async () => {
  expect(await watch([{ lines: [...write(0, 200, "INFO"), ...write(200, 2, "ERROR")], old: false }])).toEqual([]);
  const seen = await watch([
    { lines: [...write(0, 100, "INFO"), ...write(100, 20, "ERROR")], old: true },
    { lines: write(120, 30, "ERROR"), old: false },
  ]);
  expect(seen.length).toBe(1);
});

test("two incidents and a repeat of the first are three, whether they come one by one or in one batch", async () => {
  const bursts = [300, 900, 1500].map((at) => [...write(at - 60, 60, "INFO"), ...write(at, 30, "ERROR")]);
  const apart = bursts.map((lines) => ({ lines, old: false }));
  expect((await watch(apart)).length).toBe(3);
  const together = await watch([{ lines: bursts.flat(), old: false }]);
  const parts = together.map(({ lines, firstLine }) => ({ firstLine, lines: lines.length, ends: lines.at(-1) }));
  expect(parts).toEqual([
    { firstLine: 1, lines: 150, ends: bursts[1]?.[59] },
    { firstLine: 91, lines: 150, ends: bursts[2]?.[59] },
    { firstLine: 181, lines: 90, ends: bursts[2]?.at(-1) },
  ]);
});

test("after two quiet minutes a further burst is a further incident", () => {
  const bursts = new BurstWatch();
  const feed = (fromMs: number) => Array.from({ length: 30 }, (_, index) => bursts.add(fromMs + index * 1000, true));
  expect(feed(0).filter(Boolean).length).toBe(1);
  expect(feed(300_000).filter(Boolean).length).toBe(1);
});
