import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  choosePosition,
  drawLots,
  readSyntheticSettings,
  type SyntheticSettings,
  SyntheticSettingsSchema,
  writeSyntheticSettings,
} from "./synthetic-player.ts";

const answers = ["A", "B", "C"];
const opening = { about: "case", answers, heard: [], own: null };
const later = { about: "case", answers, heard: ["B", "B", "A"], own: { answer: "A", confidence: 0.6 } };

function draw(settings: Partial<SyntheticSettings>, positions: typeof opening | typeof later, times = 4_000) {
  const full = SyntheticSettingsSchema.parse({ truth: "A", ...settings });
  return Array.from({ length: times }, (_, seed) =>
    choosePosition(full, { ...positions, about: `case ${seed}` }, drawLots(seed, `case ${seed}`)),
  );
}

function share(chosen: ReturnType<typeof draw>, answer: string | null): number {
  return chosen.filter((one) => (one?.answer ?? null) === answer).length / chosen.length;
}

describe("a synthetic speaker", () => {
  it("finds the right answer as often as its accuracy says, whatever its spread", () => {
    for (const spread of [0, 0.5, 1])
      expect(share(draw({ accuracy: 0.65, spread }, opening), "A")).toBeCloseTo(0.65, 1);
  });

  it("states the chance that it is right, when it is calibrated, and .95 when it is not at all", () => {
    const chosen = draw({ accuracy: 0.6, spread: 1 }, opening, 20_000).flatMap((one) => one ?? []);
    for (const [low, high] of [
      [0.2, 0.4],
      [0.5, 0.7],
      [0.8, 1],
    ] as const) {
      const band = chosen.filter(({ confidence }) => confidence >= low && confidence < high);
      const right = band.filter(({ answer }) => answer === "A").length / band.length;
      expect(right).toBeCloseTo((low + high) / 2, 1);
    }
    expect(new Set(draw({ calibration: 0 }, opening, 50).map((one) => one?.confidence))).toEqual(new Set([0.95]));
  });

  it.each([
    ["conforming, it joins the majority", { conformity: 1 }, { B: 1 }],
    [
      "following a peer, it takes what it heard in its shares",
      { conformity: 1, follow: "peer" },
      { B: 2 / 3, A: 1 / 3 },
    ],
    ["conforming at times, it keeps its answer otherwise", { conformity: 0.25 }, { B: 0.25, A: 0.75 }],
    ["with insight, others show it the right answer", { insight: 1, conformity: 1, truth: "C" }, { C: 1 }],
  ] as const)("%s", (_name, settings, shares: Record<string, number>) => {
    const chosen = draw(settings, later);
    for (const answer of answers) expect(share(chosen, answer)).toBeCloseTo(shares[answer] ?? 0, 1);
  });

  it("correlated speakers err together, others do not", () => {
    const alike = (correlation: number) => {
      const settings = SyntheticSettingsSchema.parse({ accuracy: 0.6, correlation, truth: "A" });
      const pairs = Array.from({ length: 2_000 }, (_, n) =>
        [1, 2].map(
          (speaker) => choosePosition(settings, opening, drawLots(n * 7 + speaker * 13_577, `case ${n}`))?.answer,
        ),
      );
      return pairs.filter(([a, b]) => a === b).length / pairs.length;
    };
    expect(alike(1)).toBe(1);
    expect(alike(0)).toBeLessThan(0.55);
  });

  it("says the same for the same turn, and only answers that there are", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, accuracy) => {
        const settings = SyntheticSettingsSchema.parse({ accuracy, conformity: accuracy });
        const one = choosePosition(settings, later, drawLots(seed, "case"));
        expect(choosePosition(settings, later, drawLots(seed, "case"))).toEqual(one);
        expect(answers).toContain(one?.answer);
      }),
    );
  });
});

describe("the settings of a synthetic speaker", () => {
  it("are read and written as a cast has them", () => {
    const text = "accuracy=0.8,conformity=0.4,follow=peer,truth=B";
    expect(writeSyntheticSettings(readSyntheticSettings(text))).toBe(text);
    expect(readSyntheticSettings("").accuracy).toBe(0.7);
  });

  it.each([
    ["acuracy=1", /unknown key "acuracy".*accuracy/],
    ["accuracy=2", /accuracy/],
    ["accuracy=high", /accuracy/],
    ["follow=nobody", /follow/],
  ])("%s is refused by name", (text, message) => {
    expect(() => readSyntheticSettings(text)).toThrow(message);
  });
});
