import * as fc from "fast-check";
import { expect, it } from "vitest";
import { holm } from "./holm.ts";

it("adjusts a known example", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  for (const [i, known] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(known, 12);
});

it("rejects exactly what the step-down procedure rejects", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (pValues) => {
      const alpha = 0.05;
      const rejected = new Set<number>();
      const order = pValues.map((_, i) => i).sort((x, y) => (pValues[x] as number) - (pValues[y] as number));
      for (const [rank, i] of order.entries()) {
        if ((pValues[i] as number) * (pValues.length - rank) > alpha) break;
        rejected.add(i);
      }
      expect(holm(pValues).flatMap((p, i) => (p <= alpha ? [i] : []))).toEqual([...rejected].sort((x, y) => x - y));
    }),
  );
});

it("never lowers a p-value and never passes 1", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
      for (const [i, adjusted] of holm(pValues).entries()) {
        expect(adjusted).toBeGreaterThanOrEqual(pValues[i] as number);
        expect(adjusted).toBeLessThanOrEqual(1);
      }
    }),
  );
});
