import { expect, it } from "vitest";
import { stemEnglish } from "./search.ts";

it.each([
  ["exhausted", "exhausts"],
  ["exhausted", "exhausting"],
  ["failing", "failed"],
  ["disks", "disk"],
  ["retries", "retry"],
  ["timed", "timing"],
  ["stopped", "stop"],
  ["employees", "employee"],
  ["trees", "tree"],
  ["processes", "process"],
  ["processing", "process"],
])("%s and %s share a stem", (a, b) => expect(stemEnglish(a)).toBe(stemEnglish(b)));

it.each(["bus", "gas", "ing", "used"])("%s keeps at least three letters", (word) =>
  expect(stemEnglish(word).length).toBeGreaterThanOrEqual(3),
);
