/**
 * Fails when an import breaks the floor plan of ARCHITECTURE.md: layers that point outward, a room entered by a window,
 * folders that import each other in a circle.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { cycleText, findFolderCycles } from "./folder-cycles.ts";
import { type Import, problemOf, sharedKnowledge } from "./import-rules.ts";

const root = resolve(import.meta.dirname, "..");
const importPattern = /(?:from\s+|import\s*\(\s*|import\s+)["'](\.[^"']+)["']/g;

const imports = globSync("{src,test,bench,scripts}/**/*.{ts,tsx}", { cwd: root }).toSorted().flatMap(importsOf);
const problems = [
  ...imports.flatMap((one) => {
    const problem = problemOf(one.from, one.to);
    return problem === null ? [] : [`${one.from} → ${one.to}: ${problem}`];
  }),
  ...sharedKnowledge(imports),
  ...findFolderCycles(imports.filter(({ from, to }) => from.startsWith("src/") && to.startsWith("src/"))).map(
    cycleText,
  ),
];

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "import directions hold" : `${problems.length} problems with imports`);
process.exitCode = problems.length === 0 ? 0 : 1;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(importPattern)].map(([, specifier = ""]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), specifier)),
  }));
}
