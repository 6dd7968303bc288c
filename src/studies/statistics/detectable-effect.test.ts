import { expect, it } from "vitest";
import { detectableAccuracyDifference, detectableMeanDifference, boundDifference } from "./detectable-effect.ts";
import { mcnemar } from "./mcnemar.ts";
import { createRandom } from "../../text/random.ts";

it("is the difference that McNemar's test finds 80 times in 100", () => {
  const [cases, discordance] = [400, 0.2];
  const difference = detectableAccuracyDifference(cases, discordance) as number;
  const random = createRandom(2);
  let found = 0;
  for (let trial = 0; trial < 1500; trial++) {
    let [first, second] = [0, 0];
    for (let i = 0; i < cases; i++) {
      const draw = random();
      if (draw < (discordance + difference) / 2) second++;
      else if (draw < discordance) first++;
    }
    if (mcnemar(first, second).midP < 0.05) found++;
  }
  expect(found / 1500).toBeGreaterThan(0.77);
  expect(found / 1500).toBeLessThan(0.84);
});

it("solves Connor's equation", () => {
  const difference = detectableAccuracyDifference(200, 0.3) as number;
  const cases = (1.959964 * Math.sqrt(0.3) + 0.841621 * Math.sqrt(0.3 - difference ** 2)) ** 2 / difference ** 2;
  expect(cases).toBeCloseTo(200, 3);
});

it("shrinks with more cases and is null when nothing could be found", () => {
  expect(detectableAccuracyDifference(1000, 0.2)).toBeLessThan(detectableAccuracyDifference(100, 0.2) as number);
  expect(detectableAccuracyDifference(10, 0.1)).toBeNull();
  expect(detectableAccuracyDifference(0, 0.5)).toBeNull();
});

it("needs 2.8 standard errors for a mean difference", () => {
  expect(detectableMeanDifference(100, 0.5)).toBeCloseTo(2.801585 * 0.05, 5);
  expect(detectableMeanDifference(0, 0.5)).toBeNull();
});

it("bounds what agreement on every case leaves open", () => {
  expect(boundDifference(30)).toBeCloseTo(0.095, 4);
  expect((1 - boundDifference(30)) ** 30).toBeCloseTo(0.05, 10);
  expect(boundDifference(0)).toBe(1);
});
