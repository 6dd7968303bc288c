import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TimeBuckets } from "./time-buckets.ts";

test("however times are spread, nothing is lost and the buckets stay few", () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(time, { maxLength: 300 }), (times) => {
      const buckets = new TimeBuckets();
      for (const [at, isError] of times) buckets.add(at * 100, { line: 1, file: null, isError, shape: 1 });
      const all = buckets.listInOrder();
      expect(all.reduce((sum, { events }) => sum + events, 0)).toBe(times.length);
      expect(all.reduce((sum, { errors }) => sum + errors, 0)).toBe(times.filter(([, isError]) => isError).length);
    }),
  );
});

test("more than 4096 different seconds make the buckets wider, in whatever order they come", () => {
  const buckets = new TimeBuckets();
  for (let index = 0; index < 20_000; index += 1) {
    const second = (index * 7919) % 20_000;
    buckets.add(second * 1000, { line: index + 1, file: null, isError: second % 10 === 0, shape: 3 });
  }
  const all = buckets.listInOrder();
  expect(all.length).toBeLessThanOrEqual(4096);
  expect(buckets.widthMs).toBe(8000);
  expect(all.reduce((sum, { events }) => sum + events, 0)).toBe(20_000);
  expect(all.reduce((sum, { errors }) => sum + errors, 0)).toBe(2_000);
  expect(all.every(({ errors, errorShape }) => errors === 0 || errorShape === 3)).toBe(true);
});
