import { expect, it } from "vitest";
import { sparkline } from "./layout.ts";

it("draws values as bars, on the scale of shares, of points, or of the greatest", () => {
  expect(sparkline([0, 50, 100])).toBe("▁▅█");
  expect(sparkline([0, 0.5, 1])).toBe("▁▅█");
  expect(sparkline([0, 500, 1000])).toBe("▁▅█");
  expect(sparkline([85, 90], 100)).toBe("▇█");
  expect(sparkline([-3, 0])).toBe("▁▁");
});
