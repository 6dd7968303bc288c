import * as fc from "fast-check";
import { errorCorrelations } from "./agreement.ts";
import { expect, it } from "vitest";
import { sampleCorrelation } from "simple-statistics";

function record(player: string, right: boolean[]) {
  return { player, right: new Map(right.map((value, i) => [String(i), value])) };
}

it("equals Pearson's correlation of the error indicators", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2 }), (pairs) => {
      const [first, second] = [pairs.map((p) => p[0]), pairs.map((p) => p[1])];
      const [found] = errorCorrelations([record("a", first), record("b", second)]);
      if (new Set(first).size < 2 || new Set(second).size < 2) expect(found).toBeNull();
      else expect(found).toBeCloseTo(sampleCorrelation(first.map(Number), second.map(Number)), 9);
    }),
  );
});

it("looks only at items both answered, pair by pair; one model in three costumes errs as one", () => {
  const found = errorCorrelations([
    record("a", [true, false, false, true]),
    record("b", [true, false]),
    record("c", [true, true]),
  ]);
  expect(found).toEqual([1, null, null]);
});
