import { expect, it } from "vitest";
import { cycleText, findFolderCycles } from "./folder-cycles.ts";
import type { Import } from "./import-rules.ts";

/** `"a/x b/y"` is an import of b/y.ts by a/x.ts. */
function importsOf(...lines: string[]): Import[] {
  return lines.map((line) => {
    const [from, to] = line.split(" ");
    return { from: `src/${from}.ts`, to: `src/${to}.ts` };
  });
}

it.each([
  ["no imports", []],
  ["a chain of folders", ["a/x b/y", "b/y c/z", "a/x c/z"]],
  ["files of one folder that import each other", ["a/x a/y", "a/y a/x"]],
  ["two ways to the same folder", ["a/x b/x", "a/x c/x", "b/x d/x", "c/x d/x"]],
  ["a test that reaches outward", ["a/x b/y", "b/y.test a/x"]],
  ["a parent that imports its child", ["a/x a/b/y"]],
])("finds no cycle in %s", (_what, lines) => expect(findFolderCycles(importsOf(...lines))).toEqual([]));

it("finds a cycle of folders though no two files import each other", () => {
  const [cycle, ...others] = findFolderCycles(importsOf("a/x b/y", "b/z a/w"));
  expect(others).toEqual([]);
  expect(cycle).toEqual({ folders: ["src/a", "src/b"], way: importsOf("a/x b/y", "b/z a/w") });
});

it("takes a folder and its parent for two folders", () => {
  const [cycle] = findFolderCycles(importsOf("a/x a/b/y", "a/b/y a/z"));
  expect(cycle?.folders).toEqual(["src/a", "src/a/b"]);
});

it("tells knots apart, and shows the shortest way around each", () => {
  const cycles = findFolderCycles(
    importsOf("a/x b/x", "b/x c/x", "c/x a/x", "c/y b/y", "d/x e/x", "e/x d/x", "a/x d/x"),
  );
  expect(cycles.map(({ folders }) => folders)).toEqual([
    ["src/a", "src/b", "src/c"],
    ["src/d", "src/e"],
  ]);
  expect(cycles[0]?.way).toEqual(importsOf("b/x c/x", "c/y b/y"));
});

it("says a cycle folder by folder and file by file", () => {
  const [cycle] = findFolderCycles(importsOf("a/x b/y", "b/z a/w"));
  expect(cycle && cycleText(cycle)).toBe(
    [
      "2 folders import each other: src/a, src/b",
      "  src/a → src/b  (src/a/x.ts → src/b/y.ts)",
      "  src/b → src/a  (src/b/z.ts → src/a/w.ts)",
    ].join("\n"),
  );
});
