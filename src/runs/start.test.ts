import fc from "fast-check";
import { expect, it } from "vitest";
import { RunIdSchema } from "../contract/api/index.ts";
import { createRunId } from "./start.ts";

it("ids made one after another sort in that order, within a millisecond too", () => {
  const second = Date.UTC(2026, 5, 1);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 2, maxLength: 40 }), (offsets) => {
      const ids = offsets.toSorted((a, b) => a - b).map((ms) => createRunId(second + ms));
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(RunIdSchema.safeParse(id).success).toBe(true);
    }),
  );
});
