/** Fails when an import points outward: contract | text ← engine ← players | store | knowledge ← packs ← runs ← studies ← server ← cli. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { problemOf } from "./import-rules.ts";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src");
const importPattern = /(?:from\s+|import\s*\(\s*|import\s+)["'](\.[^"']+)["']/g;

const problems: string[] = [];
for (const file of globSync("**/*.ts", { cwd: source })) {
  const text = readFileSync(join(source, file), "utf8");
  for (const [, specifier] of text.matchAll(importPattern)) {
    const target = relative(source, resolve(source, dirname(file), specifier ?? ""));
    const problem = problemOf(file, target);
    if (problem) problems.push(`src/${file} → ${specifier}: ${problem}`);
  }
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "import directions hold" : `${problems.length} imports point the wrong way`);
process.exitCode = problems.length === 0 ? 0 : 1;
