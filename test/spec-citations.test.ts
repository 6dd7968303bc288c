import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { checkCitations, findCitations, readComments, readSections } from "./support/spec-citations.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = new Map(
  globSync("docs/spec/*.md", { cwd: root })
    .toSorted()
    .map((path) => [basename(path, ".md"), readSections(read(path))]),
);

it("every section that a comment cites is in docs/spec", () => {
  const problems = globSync("{src,bench,test,scripts}/**/*.{ts,tsx,js,mjs}", { cwd: root })
    .toSorted()
    .flatMap((file) =>
      readComments(file, read(file)).flatMap(({ text, line }) =>
        checkCitations(text, pages).map((problem) => `${file}:${line}: ${problem}`),
      ),
    );
  expect(problems).toEqual([]);
});

it("pages are numbered once: no two headings have one number", () => {
  for (const path of globSync("docs/spec/*.md", { cwd: root })) {
    const numbers = [...read(path).matchAll(/^#{2,6} (\d\S*)/gm)].map(([, number]) => number);
    expect(numbers, path).toEqual([...new Set(numbers)]);
  }
});

describe("what counts as a citation", () => {
  const known = new Map([["law", readSections("# Law\n\n## 4 Rounds\n\n### 4.2 Critiques\n\n## 6a Settling\n")]]);

  it.each([
    ["Critiques first (law spec §4.2).", []],
    ["Law spec §4, §4.2 and §6a say so.", []],
    ["nothing is cited here", []],
    ["It ends (law spec §5).", ["docs/spec/law.md has no section 5"]],
    ["From law spec §4 to §7.", ["docs/spec/law.md has no section 7"]],
    ["By tort spec §4.", ["there is no docs/spec/tort.md (known: law)"]],
    ["Bare (§4).", ['"§4)." names no specification; write it as `<name> spec §N`']],
    ["As law §4 has it", ['"§4 has it" names no specification; write it as `<name> spec §N`']],
    ["In words (law spec, section 4).", ['"spec, section 4" names no specification; write it as `<name> spec §N`']],
    ["By number (section 6a).", ['"section 6a" names no specification; write it as `<name> spec §N`']],
  ])("%s", (comment, problems) => expect(checkCitations(comment, known)).toEqual(problems));

  it("a citation may be broken over lines, and strings are not comments", () => {
    const source =
      'const a = "§9";\n/**\n * Critiques first (law spec\n * §4.2).\n */\nconst b = /["\'`]§/; // law spec §6a\n';
    expect(readComments("a.ts", source).map(({ text, line }) => [findCitations(text).citations, line])).toEqual([
      [[{ name: "law", section: "4.2" }], 2],
      [[{ name: "law", section: "6a" }], 6],
    ]);
  });
});
