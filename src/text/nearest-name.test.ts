import { expect, it } from "vitest";
import { findNearestName, suggestName } from "./similar.ts";

const known = ["config", "cast", "redecide", "self_consistency"];

it.each([
  ["confg", "config"],
  ["cofnig", "config"],
  ["Config", "config"],
  ["selfConsistency", "self_consistency"],
  ["re-decide", "redecide"],
])("%s was meant to be %s", (name, meant) => expect(findNearestName(name, known)).toBe(meant));

it.each(["banana", "x", ""])("%s is none of them", (name) => expect(findNearestName(name, known)).toBeNull());

it("says what is known", () => {
  expect(suggestName("cats", ["cast", "seed"])).toBe('; did you mean "cast"? (known: cast, seed)');
  expect(suggestName("banana", ["cast"])).toBe(" (known: cast)");
});
