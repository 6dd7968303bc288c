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

test("after two quiet minutes a further burst is a further incident", () => {
  const bursts = new BurstWatch();
  const feed = (fromMs: number) => Array.from({ length: 30 }, (_, index) => bursts.add(fromMs + index * 1000, true));
  expect(feed(0).filter(Boolean).length).toBe(1);
  expect(feed(300_000).filter(Boolean).length).toBe(1);
});
