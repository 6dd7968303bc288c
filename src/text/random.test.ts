import { expect, it } from "vitest";
import { deriveSeed } from "./random.ts";

it("a seed depends on its text only, fits what models take, and differs from turn to turn", () => {
  const seeds = Array.from({ length: 2000 }, (_, n) => deriveSeed(`0\n1/step-${n}/role`));
  expect(deriveSeed("0\n1/step-0/role")).toBe(seeds[0]);
  expect(new Set(seeds).size).toBe(2000);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 28)).toBe(true);
});
