import * as fc from "fast-check";
import { errorCorrelations } from "./statistics.ts";
import { expect, it } from "vitest";

it("is phi of the error counts of a pair", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2 }), (pairs) => {
      const [found] = errorCorrelations([pairs.map(([one]) => one), pairs.map(([, other]) => other)]);
      const count = (one: boolean | null, other: boolean | null): number =>
        pairs.filter((pair) => (one ?? pair[0]) === pair[0] && (other ?? pair[1]) === pair[1]).length;
      const spread = Math.sqrt(count(true, null) * count(false, null) * count(null, true) * count(null, false));
      const shared = count(true, true) * count(false, false) - count(true, false) * count(false, true);
      if (spread === 0) expect(found).toBeNull();
      else expect(found).toBeCloseTo(shared / spread, 9);
    }),
  );
});

it("one model in three costumes errs as one", () => {
  const own = [true, false, false, true];
  expect(errorCorrelations([own, own, own])).toEqual([1, 1, 1].map((one) => expect.closeTo(one, 9)));
});
