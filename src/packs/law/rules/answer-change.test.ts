import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerChange } from "./answer-change.ts";

describe("answer change (law spec §4)", () => {
  test("token: the same stems are no change", () => {
    expect(answerChange("Anak mewarisi harta.", "anak mewaris harta")).toBe(0);
  });
  test("token: 1 − Dice over multisets, so a repeated word counts", () => {
    expect(answerChange("sawah sawah rumah", "sawah rumah")).toBeCloseTo(1 - 4 / 5);
  });
  test("token: claims count beside the answer", () => {
    const before = { answer: "ya", claims: [{ statement: "sawah" }] };
    expect(answerChange(before, { answer: "ya", claims: [] })).toBeCloseTo(1 - 2 / 3);
  });
  test("semantic: 1 − cosine of the answers' vectors", () => {
    const [a, b, c] = [
      [1, 0],
      [0, 1],
      [1, 1],
    ].map((vector) => ({ answer: "x", claims: [], vector }));
    if (!a || !b || !c) throw new Error("three vectors");
    expect(answerChange(a, a, "semantic")).toBeCloseTo(0);
    expect(answerChange(a, b, "semantic")).toBeCloseTo(1);
    expect(answerChange(a, c, "semantic")).toBeCloseTo(1 - Math.SQRT1_2);
  });
  test("semantic: an answer without an embedding is an error, never a guess", () => {
    expect(() => answerChange("a", "b", "semantic")).toThrow("semantic");
  });
  test("is 0..1, symmetric, and 0 against itself", () => {
    const text = fc.array(fc.constantFrom("harta", "waris", "adat", "anak", "tanah")).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const change = answerChange(a, b);
        expect(change).toBeGreaterThanOrEqual(0);
        expect(change).toBeLessThanOrEqual(1);
        expect(answerChange(b, a)).toBeCloseTo(change);
        expect(answerChange(a, a)).toBe(0);
      }),
    );
  });
});
