import { expect, it } from "vitest";
import { labelSides } from "./label-sides.ts";

it("labels that would cover each other move to another side, or are left out", () => {
  const crowd = Array.from({ length: 7 }, () => ({ name: "abcdefgh", at: [200, 100] as [number, number] }));
  expect(labelSides(crowd.slice(0, 1), 400)).toEqual(["right"]);
  const near = [crowd[0], { name: "other", at: [230, 100] as [number, number] }].filter((one) => one !== undefined);
  expect(labelSides(near, 400)).toEqual(["left", "right"]);
  expect(labelSides(crowd, 400).filter((side) => side === null).length).toBeGreaterThan(0);
});

it("a label stays inside the picture", () => {
  expect(labelSides([{ name: "a long name", at: [390, 100] }], 400)).toEqual(["left"]);
});
