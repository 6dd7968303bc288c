import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFlippingSet } from "./why.ts";

/** Flips when one of some sets is contained in the changes. */
function flipsOn(sets: readonly (readonly number[])[]) {
  return async (changes: readonly number[]) => sets.some((set) => set.every((one) => changes.includes(one)));
}

describe("changes that flip a decision together", () => {
  it("flip it, and none of them can be spared", async () => {
    const set = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 1, maxLength: 4 }), async (sets) => {
        const flips = flipsOn(sets);
        const found = (await findFlippingSet([0, 1, 2, 3, 4, 5, 6], flips, () => true)) ?? [];
        expect(await flips(found)).toBe(true);
        for (const one of found) expect(await flips(found.filter((other) => other !== one))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("are none where none exist; what cannot be told is not a flip; what excludes itself is not joined", async () => {
    expect(
      await findFlippingSet(
        [1, 2, 3],
        async () => false,
        () => true,
      ),
    ).toBeNull();
    const unknown = async (changes: readonly number[]) => (changes.includes(1) ? null : changes.includes(3));
    expect(await findFlippingSet([1, 2, 3], unknown, () => true)).toEqual([3]);
    expect(await findFlippingSet([1, 2, 3], flipsOn([[1, 2]]), (a, b) => a + b !== 3)).toBeNull();
  });
});
