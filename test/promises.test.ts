import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");

/** The cells of the rows of all tables that have a column called `test`. */
function listTestCells(page: string): { row: string; cell: string }[] {
  let column = -1;
  return page.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) {
      column = -1;
      return [];
    }
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (column < 0) column = cells.indexOf("test");
    else if (!/^\|[-|]+\|$/.test(line)) return [{ row: cells[1] ?? "", cell: cells[column] ?? "" }];
    return [];
  });
}

/** The files that a place names: a file, all files of a folder, or a pattern; a bare name stands beside the one before it. */
function listFiles(place: string, beside: string): string[] {
  for (const name of [place, join(beside, place)]) {
    const path = join(root, name);
    const found = name.includes("*") ? globSync(path) : existsSync(path) ? [path] : [];
    const files = found.flatMap((one) => (statSync(one).isDirectory() ? globSync(join(one, "**/*.test.ts")) : [one]));
    if (files.length > 0) return files;
  }
  return [];
}

const hasTests = (file: string): boolean => /\b(?:it|test)(?:\.\w+)*\s*\(/.test(readFileSync(file, "utf8"));

describe("every promise of ARCHITECTURE.md names its test, and the test is there:", () => {
  const rows = listTestCells(read("ARCHITECTURE.md"));
  it("the table is read", () => expect(rows.length).toBeGreaterThan(35));

  it.each(rows)("$row", ({ cell }) => {
    const places = [...cell.matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place);
    expect(places).not.toEqual([]);
    let beside = "";
    for (const place of places) {
      const files = listFiles(place, beside);
      expect(files, place).not.toEqual([]);
      // Helpers hold tests that others run, or checks that every test makes.
      if (!place.startsWith("test/support/")) expect(files.some(hasTests), place).toBe(true);
      if (place.includes("/")) beside = place.slice(0, place.lastIndexOf("/"));
    }
  });
});

/** A test as pages name it: its file in backticks, a colon, and words of its name. */
const reference = /`((?:test|src)\/[\w./-]+\.ts)`: ([^|)]+?)(?=\)| \||$)/g;

describe("every promise of docs/abuse.md names its test, and the test is there:", () => {
  const page = read("docs/abuse.md");
  const rows = listTestCells(page).map(({ row, cell }) => ({ row, cell: `${cell} |` }));
  const bullets = page.split("\n").filter((line) => line.startsWith("- ") && !line.endsWith(";"));
  it("the tables are read", () => expect(rows.length).toBeGreaterThan(18));

  it.each(rows)("$row", ({ cell }) => expect([...cell.matchAll(reference)]).not.toEqual([]));

  it("each point of a list names a file of tests, but for those that say what cannot be tested", () => {
    const unnamed = bullets.filter((line) => !/`(?:test|src)\/[\w./-]+\.ts`/.test(line));
    expect(unnamed.filter((line) => !line.startsWith("- a run that was removed with all its rows"))).toEqual([]);
  });

  it.each([...page.matchAll(reference)].map(([, file = "", name = ""]) => ({ file, name })))(
    "$file: $name",
    ({ file, name }) => {
      const code = read(file).replaceAll("\\`", "`");
      expect(code).toContain(name.trim());
    },
  );

  it("every section names a file of tests", () => {
    const sections = page.split(/\n(?=### )/).slice(1);
    for (const section of sections) expect(section, section.slice(0, 40)).toMatch(/[\w-]+\.test\.ts`/);
  });
});
