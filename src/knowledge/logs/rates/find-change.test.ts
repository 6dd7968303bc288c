import fc from "fast-check";
import { expect, test } from "vitest";
import { findChange } from "./find-change.ts";

const ones = (length: number) => Array.from({ length }, () => 1);
const rows: [guarantee: string, counts: number[], at: number | null][] = [
  ["errors that start are found where they start", [...Array(40).fill(0), ...Array(20).fill(3)], 40],
  ["what stops is found where it stopped", [...Array(30).fill(4), ...Array(30).fill(0)], 30],
  ["a steady rate has no change", Array(60).fill(5), null],
  ["three errors are no change", [...Array(50).fill(0), 1, 0, 1, 0, 1, 0, 0, 0, 0, 0], null],
  [
    "a rate that scatters all the time has no change",
    Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? 21 : 0)),
    null,
  ],
  ["a rise of a third is no change", [...Array(30).fill(9), ...Array(30).fill(12)], null],
];

test.each(rows)("%s", (_, counts, at) => {
  expect(findChange(counts, ones(counts.length), counts.length)?.at ?? null).toBe(at);
});

test("one in nine requests failing is a change though there are more requests too", () => {
  const requests = Array.from({ length: 60 }, (_, index) => (index < 30 ? 9 : 18));
  const failures = Array.from({ length: 60 }, (_, index) => (index < 30 ? 0 : 2));
  expect(findChange(failures, requests, 60)).toMatchObject({ at: 30, before: { count: 0 }, after: { count: 60 } });
});

test("as many failures as there are more requests is no change", () => {
  const requests = Array.from({ length: 60 }, (_, index) => (index < 30 ? 50 : 200));
  const failures = requests.map((count) => count / 10);
  expect(findChange(failures, requests, 60)).toBeNull();
});

test("whatever the counts are, a change splits them in two and is the same backwards", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 100 }), (counts) => {
      const change = findChange(counts, ones(counts.length), counts.length);
      if (change === null) return;
      expect(change.before.count + change.after.count).toBe(counts.reduce((sum, count) => sum + count, 0));
      const back = findChange(counts.toReversed(), ones(counts.length), counts.length);
      expect(back?.clarity).toBeCloseTo(change.clarity, 6);
    }),
  );
});
