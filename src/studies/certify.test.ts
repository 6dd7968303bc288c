import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timesOf } from "../../test/support/share.ts";
import { SyntheticSettingsSchema } from "../players/synthetic-player.ts";
import { createRandom, shuffle } from "../text/random.ts";
import { makeLabCases, runLab } from "./lab.ts";
import { binomialTail, boundShare } from "./statistics/statistics.ts";
import { chooseThreshold, countNeeded, type Labelled, labelStudy } from "./certify.ts";

/** Debates of synthetic speakers, as labelled decisions. */
async function debate(arm: string, settings: Record<string, unknown>, count: number, seed = 5): Promise<Labelled[]> {
  const kind = SyntheticSettingsSchema.parse(settings);
  const controls = arm === "debate" ? [] : [arm as "vote"];
  const { scorecards } = await runLab(kind, makeLabCases(count, 4, seed), { controls });
  return labelStudy(scorecards, arm);
}

describe("the binomial tail", () => {
  it.each([
    [0, 10, 0.1, 0.3487],
    [1, 10, 0.1, 0.7361],
    [3, 100, 0.05, 0.2578],
    [10, 10, 0.5, 1],
  ])("of at most %i in %i at %f is %f", (successes, trials, chance, expected) => {
    expect(binomialTail(successes, trials, chance)).toBeCloseTo(expected, 4);
  });

  it("the bound of a share is where the tail is just unlikely", () => {
    fc.assert(
      fc.property(fc.nat({ max: 50 }), fc.integer({ min: 51, max: 400 }), (wrong, trials) => {
        const bound = boundShare(wrong, trials, 0.95);
        expect(bound).toBeGreaterThan(wrong / trials);
        expect(binomialTail(wrong, trials, bound)).toBeCloseTo(0.05, 6);
      }),
    );
  });
});

describe("the threshold of a certificate", () => {
  it("acts on everything where nothing is wrong, and on nothing where there are too few cases to promise it", () => {
    const sure = Array.from({ length: 100 }, (_, at) => ({ confidence: 0.5 + at / 250, right: true }));
    expect(chooseThreshold(sure, 0.05)).toMatchObject({ threshold: 0.5, acted: 100, wrong: 0 });
    expect(countNeeded(0.05)).toBe(59);
    expect(chooseThreshold(sure.slice(0, 58), 0.05).threshold).toBeNull();
  });

  it("stops where errors begin, whatever comes below", () => {
    const mixed = Array.from({ length: 400 }, (_, at) => ({ confidence: 1 - at / 400, right: at < 150 || at > 300 }));
    const { threshold, acted } = chooseThreshold(mixed, 0.05);
    expect(acted).toBeGreaterThanOrEqual(150);
    expect(threshold).toBeGreaterThan(0.5);
  });

  it("equal confidences are acted on together, and decisions without one never", () => {
    const flat: Labelled[] = [
      ...Array.from({ length: 100 }, (_, at) => ({ confidence: 0.8, right: at % 5 !== 0 })),
      { confidence: null, right: true },
    ];
    expect(chooseThreshold(flat, 0.05).threshold).toBeNull();
    expect(chooseThreshold(flat, 0.35)).toMatchObject({ threshold: 0.8, acted: 100, wrong: 20 });
  });

  it.each([
    ["vote", { accuracy: 0.75, spread: 1 }],
    ["debate", { accuracy: 0.7, spread: 1, conformity: 0.5 }],
    ["single", { accuracy: 0.8, spread: 1, calibration: 0.5 }],
  ])("keeps its promise on 200 random splits of synthetic %s cases", async (arm, settings) => {
    const all = await debate(arm, settings, timesOf({ quick: 700, whole: 3_000 }));
    const maxWrong = 0.1;
    let [broken, certified] = [0, 0];
    for (let split = 0; split < 200; split += 1) {
      const mixed = shuffle(all, createRandom(split));
      const { threshold } = chooseThreshold(mixed.slice(0, all.length / 2), maxWrong);
      if (threshold === null) continue;
      certified += 1;
      const acted = mixed
        .slice(all.length / 2)
        .filter(({ confidence }) => confidence !== null && confidence >= threshold);
      const wrong = acted.filter(({ right }) => !right).length;
      // More than the promise allows, beyond what 95% of draws of so many cases bring by chance.
      if (binomialTail(wrong - 1, acted.length, maxWrong) > 0.95) broken += 1;
    }
    expect(certified).toBeGreaterThan(0);
    expect(broken / 200).toBeLessThanOrEqual(0.05);
  });
});
