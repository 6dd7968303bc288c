import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mcnemar, mcnemarOf } from "./mcnemar.ts";

it.each([
  { b: 10, c: 2, exactP: 0.03857421875, midP: 0.0224609375, chiSquared: 4.0833333, chiSquaredP: 0.0433081 },
  { b: 121, c: 59, exactP: 4.4344492e-6, midP: 3.2666467e-6, chiSquared: 20.6722222, chiSquaredP: 5.45e-6 },
  { b: 0, c: 5, exactP: 0.0625, midP: 0.03125, chiSquared: 3.2, chiSquaredP: 0.0736382 },
  { b: 6, c: 6, exactP: 1, midP: 1, chiSquared: 0, chiSquaredP: 1 },
  { b: 30, c: 45, exactP: 0.10534227, midP: 0.084646, chiSquared: 2.6133333, chiSquaredP: 0.1059688 },
])("agrees with scipy at $b against $c", ({ b, c, ...known }) => {
  const found = mcnemar(b, c);
  expect(found.exactP).toBeCloseTo(known.exactP, 7);
  expect(found.midP).toBeCloseTo(known.midP, 6);
  expect(found.chiSquared).toBeCloseTo(known.chiSquared, 6);
  expect(found.chiSquaredP).toBeCloseTo(known.chiSquaredP, 6);
});

it("agrees with counting all outcomes of fair coins", () => {
  fc.assert(
    fc.property(fc.nat(7), fc.nat(7), (b, c) => {
      const trials = b + c;
      let asExtreme = 0;
      for (let outcome = 0; outcome < 2 ** trials; outcome++) {
        const heads = outcome.toString(2).replaceAll("0", "").length;
        if (Math.abs(heads - trials / 2) >= Math.abs(b - trials / 2)) asExtreme++;
      }
      expect(mcnemar(b, c).exactP).toBeCloseTo(asExtreme / 2 ** trials, 9);
    }),
  );
});

it("counts only the cases on which the arms differ", () => {
  const found = mcnemarOf([true, true, false, false, true], [true, false, true, true, true]);
  expect(found).toMatchObject({ onlyFirst: 1, onlySecond: 2 });
  expect(mcnemarOf([true], [true])).toMatchObject({ exactP: 1, midP: 1, chiSquared: null, chiSquaredP: 1 });
  expect(() => mcnemarOf([true], [])).toThrow(/same length/);
});

it("stays finite for thousands of discordant cases", () => {
  expect(mcnemar(6000, 5000).exactP).toBeGreaterThan(0);
  expect(mcnemar(6000, 5000).exactP).toBeLessThan(1e-15);
});
