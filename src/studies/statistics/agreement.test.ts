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
      if (new Set(first).size < 2 || new Set(second).size < 2) {
        expect(found?.correlation).toBeNull();
        return;
      }
      expect(found?.correlation).toBeCloseTo(sampleCorrelation(first.map(Number), second.map(Number)), 9);
    }),
  );
});

it("looks only at items both answered, pair by pair", () => {
  const found = errorCorrelations([
    record("a", [true, false, false, true]),
    record("b", [true, false, true]),
    record("c", [true, false]),
  ]);
  expect(found.map((pair) => [pair.first, pair.second, pair.items])).toEqual([
    ["a", "b", 3],
    ["a", "c", 2],
    ["b", "c", 2],
  ]);
  expect(found[0]).toMatchObject({ bothWrong: 1 / 3, bothWrongByChance: 2 / 9 });
});

it("one model in three costumes errs as one", () => {
  const same = [true, false, true, false, false];
  expect(errorCorrelations([record("a", same), record("b", same)])[0]?.correlation).toBe(1);
});
