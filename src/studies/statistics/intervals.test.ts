import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bootstrapMean, bootstrapStatistics, exactShare, wilson } from "./statistics.ts";
import { createRandom } from "../../text/random.ts";

const a = [0.2, 0.4, 0.9, 1, 0.3, 0.5, 0.7, 0.1];
const b = [0.4, 0.4, 1, 1, 0.6, 0.4, 0.9, 0.3];
const differences = b.map((value, i) => value - (a[i] ?? 0));

it("agrees with scipy's percentile bootstrap on eight pairs", () => {
  const found = bootstrapMean(differences, { random: createRandom(1), resamples: 100_000 });
  expect(found.estimate).toBeCloseTo(0.1125, 12);
  expect(found.low).toBeCloseTo(0.025, 2);
  expect(found.high).toBeCloseTo(0.2, 2);
});

it("covers the true mean about 95 times in 100", () => {
  const random = createRandom(11);
  let covered = 0;
  for (let trial = 0; trial < 400; trial++) {
    const sample = Array.from({ length: 60 }, () => (random() < 0.3 ? 1 : 0));
    const { low, high } = bootstrapMean(sample, { random, resamples: 400 });
    if (low <= 0.3 && 0.3 <= high) covered++;
  }
  expect(covered / 400).toBeGreaterThan(0.91);
  expect(covered / 400).toBeLessThan(0.98);
});

it("gives the same interval for the same seed, and an interval around the estimate", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
      fc.integer(),
      (values, seed) => {
        const run = () => bootstrapMean(values, { random: createRandom(seed), resamples: 50 });
        expect(run()).toEqual(run());
        const { low, high } = run();
        expect(low).toBeLessThanOrEqual(high);
      },
    ),
  );
});

it("bootstraps statistics of summed counts as it does a mean, and leaves undefined ones out", () => {
  const values = [1, 0, 0, 1, 1, 0, 1, 1];
  const found = bootstrapStatistics(
    values.length,
    (indices) => ({ mean: indices.reduce((sum, i) => sum + (values[i] as number), 0) / indices.length, none: null }),
    { random: createRandom(5), resamples: 500 },
  );
  const known = bootstrapMean(values, { random: createRandom(5), resamples: 500 });
  expect(Object.keys(found)).toEqual(["mean"]);
  expect(found.mean?.low).toBeCloseTo(known.low, 12);
  expect(found.mean?.high).toBeCloseTo(known.high, 12);
});

it("has no interval for a statistic without cases", () => {
  expect(bootstrapStatistics(0, () => ({ x: 1 }), { random: createRandom(1) })).toEqual({});
});

it.each([
  [8, 10, 0.4901625, 0.9433178],
  [0, 20, 0, 0.1611252],
  [50, 100, 0.4038315, 0.5961685],
  [999, 1000, 0.9943574, 0.9998235],
])("agrees with scipy at %i of %i", (successes, trials, low, high) => {
  const found = wilson(successes, trials);
  expect(found?.low).toBeCloseTo(low, 6);
  expect(found?.high).toBeCloseTo(high, 6);
});

it("has no interval without a trial", () => expect(wilson(0, 0)).toBeNull());

it("has the exact interval of a share", () => {
  expect(exactShare(8, 10).low).toBeCloseTo(0.4439, 4);
  expect(exactShare(8, 10).high).toBeCloseTo(0.9748, 4);
  expect(exactShare(0, 20)).toMatchObject({ estimate: 0, low: 0 });
});
