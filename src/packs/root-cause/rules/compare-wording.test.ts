import fc from "fast-check";
import { expect, it } from "vitest";
import { compareWording } from "./compare-wording.ts";

it("is symmetric, 1 for a text with itself and 0 without shared words", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => compareWording(a, b) === compareWording(b, a)));
  expect(compareWording("the disk of the worker is full", "worker disk full")).toBe(1);
  expect(compareWording("disk full", "certificate expired")).toBe(0);
  expect(compareWording("", "")).toBe(0);
});
