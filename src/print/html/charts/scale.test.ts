import { expect, it } from "vitest";
import { paretoFront } from "./cost-chart.ts";
import { boundsFromZero, niceBounds, scaleTo, ticksOf } from "./scale.ts";

it("axes end at round numbers around all values", () => {
  const { min, max, step } = niceBounds([0.4, 0.494], 9);
  expect(min).toBeLessThanOrEqual(0.4);
  expect(max).toBeGreaterThanOrEqual(0.494);
  expect(Math.round((max - min) / step)).toBeLessThanOrEqual(9);
  expect(niceBounds([0, 0], 9).max).toBeGreaterThan(0);
});

it("an axis from zero has steps that a person would choose", () => {
  expect(boundsFromZero(10.5, 8)).toEqual({ min: 0, max: 12, step: 2 });
  expect(boundsFromZero(4_600, 4)).toEqual({ min: 0, max: 6_000, step: 2_000 });
  expect(boundsFromZero(0, 5).max).toBeGreaterThan(0);
  expect(ticksOf({ min: -4, max: 8, step: 4 })).toEqual([-4, 0, 4, 8]);
  expect(scaleTo({ min: 0, max: 10 }, 100, 0)(2)).toBe(80);
});

it("the front joins the arms that no cheaper arm beats", () => {
  const point = (name: string, cost: number, estimate: number) => ({
    name,
    group: "arm" as const,
    cost,
    quality: { estimate, low: 0, high: 1 },
  });
  const points = [
    point("dear and worse", 9, 0.6),
    point("cheap", 1, 0.5),
    point("better", 4, 0.7),
    point("tied", 4, 0.7),
  ];
  expect(paretoFront(points).map(({ name }) => name)).toEqual(["cheap", "better"]);
});
