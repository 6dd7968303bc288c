import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseAnswer } from "./answer.ts";
import { measureAgreement, tally } from "./tally.ts";

describe("the tally", () => {
  it("ranks by voices, then confidence, then who spoke first; silence does not count", () => {
    const voices = [
      { speaker: "x", canonical: "A", answer: "A", confidence: 0.2 },
      { speaker: "y", canonical: "B", answer: "B", confidence: 0.9 },
      { speaker: "z", canonical: null, answer: "", confidence: 1 },
    ];
    expect(tally(voices).map((camp) => camp.canonical)).toEqual(["B", "A"]);
    expect(measureAgreement(voices)).toBe(0.5);
  });
  it("counts every voice with an answer exactly once", () => {
    const voice = fc.record({
      speaker: fc.string(),
      canonical: fc.option(fc.constantFrom("A", "B", "C")),
      answer: fc.string(),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(voice), (voices) => {
        const camps = tally(voices);
        expect(camps.reduce((sum, camp) => sum + camp.speakers.length, 0)).toBe(
          voices.filter((one) => one.canonical !== null).length,
        );
        expect(measureAgreement(voices)).toBeGreaterThanOrEqual(0);
        expect(measureAgreement(voices)).toBeLessThanOrEqual(1);
      }),
    );
  });
  it("a text and its denial are two answers", () => {
    const voice = (speaker: string, text: string) => ({
      speaker,
      answer: text,
      canonical: normaliseAnswer(text, {}),
      confidence: 1,
    });
    const voices = [
      voice("x", "The ferry should be kept by the town."),
      voice("y", "The ferry should not be kept by the town."),
    ];
    expect(tally(voices)).toHaveLength(2);
  });
});
