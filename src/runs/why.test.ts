import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSmallestSet, listSets } from "./why.ts";

const free = { limit: 10_000, canJoin: () => true };

/** Flips when one of some sets is contained in the changes. */
function flipsOn(sets: readonly (readonly number[])[]) {
  return async (changes: readonly number[]) => sets.some((set) => set.every((one) => changes.includes(one)));
}

describe("the smallest set of changes that flips a decision", () => {
  it("is as small as brute force finds, and flips", async () => {
    const set = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 1, maxLength: 4 }), async (sets) => {
        const candidates = [0, 1, 2, 3, 4, 5, 6];
        const flips = flipsOn(sets);
        const found = await findSmallestSet(candidates, flips, free);
        const smallest = Math.min(...sets.map((one) => one.length));
        expect(found.changes && (await flips(found.changes))).toBe(true);
        if (found.proven) expect(found.changes?.length).toBe(smallest);
        if (smallest <= 3) expect(found.proven).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("says that none was found where none exists, and that it is not proven", async () => {
    expect(await findSmallestSet([1, 2, 3], async () => false, free)).toMatchObject({ changes: null, proven: false });
  });

  it("past the limit it is a set without a part to spare, and says that it may not be the smallest", async () => {
    const found = await findSmallestSet([1, 2, 3, 4, 5], flipsOn([[2, 4, 5]]), { ...free, limit: 3 });
    expect(found).toMatchObject({ changes: [2, 4, 5], proven: false });
  });

  it("what cannot be told is not a flip", async () => {
    const unknown = async (changes: readonly number[]) => (changes.includes(1) ? null : changes.includes(3));
    expect((await findSmallestSet([1, 2, 3], unknown, free)).changes).toEqual([3]);
  });

  it("changes that exclude each other are never made together", () => {
    const sets = [...listSets([1, 2, 3], 2, (a, b) => a + b !== 3)];
    expect(sets).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });
});
