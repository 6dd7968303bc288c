import { expect, it } from "vitest";
import { parseYaml } from "../runs/settings.ts";
import { findUnplain } from "./format.ts";

it("plain data is plain, however wide, and also when one value stands in two places", () => {
  const shared = { a: 1 };
  expect(findUnplain({ x: shared, y: [shared, shared], z: Array.from({ length: 10_000 }, (_, i) => [i]) })).toBeNull();
  for (const value of [1, "text", null, undefined, []]) expect(findUnplain(value)).toBeNull();
});

it("a value that contains itself is found, with its place", () => {
  const loop: Record<string, unknown> = { name: "loop" };
  loop.inner = [{ back: loop }];
  expect(findUnplain({ loop })).toEqual({ path: ["loop", "inner", 0, "back"], message: "contains itself" });
});

it("a key that would reach a prototype is found at any depth", () => {
  expect(findUnplain(JSON.parse('{"a":[{"__proto__":{"x":1}}]}'))?.path).toEqual(["a", 0, "__proto__"]);
});

it("endless nesting is found without recursion", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(findUnplain(deep)?.message).toContain("nested deeper than");
});

it("what JSON would lose is found: in YAML, a budget that is a map or a set would limit nothing", () => {
  for (const value of [new Map([["calls", 1]]), new Set(["calls"]), new Date(0), Buffer.from("x")])
    expect(findUnplain({ budget: value })).toMatchObject({ path: ["budget"], message: expect.stringMatching(/plain/) });
  for (const tagged of ["budget: !!omap [calls: 1]", "budget: !!set {calls}", "cast: !!binary AAAA"])
    expect(() => parseYaml(tagged, "the file")).toThrow(/is not plain data/);
});
