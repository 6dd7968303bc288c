import { expect, it } from "vitest";
import { placeNames } from "./charts.tsx";

it("names of arms that cost and score alike do not lie over each other, and others stay beside their dots", () => {
  const dots = [
    { name: "round_table", x: 100, y: 80 },
    { name: "vote", x: 100, y: 80 },
    { name: "single", x: 400, y: 80 },
  ];
  const [first, second, third] = placeNames(dots);
  expect([first?.y, third?.y]).toEqual([80, 80]);
  expect(Math.abs((first?.y ?? 0) - (second?.y ?? 0))).toBeGreaterThanOrEqual(15);
});
