/** What the pages show is what is printed: their commands are run, in order, on the files of the repository. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCliTogether, spawnCli } from "./support/cli.ts";
import { blurPassing, findMismatch, readSteps, runId } from "./support/doc-page.ts";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const runnable = pages.filter((page) => /^<!-- (run in|not run)/m.test(readFileSync(join(root, page), "utf8")));

describe.each(runnable)("%s", (name) => {
  const page = readFileSync(join(root, name), "utf8");
  const from = /^<!-- run in ([^\s,]+)/m.exec(page)?.[1];
  const print = /^<!-- run in .*each command a process -->$/m.test(page) ? printInProcess : runCliTogether;
  it.runIf(from !== undefined)("prints what it shows", async () => {
    const cwd = newFolder();
    if (from !== undefined && existsSync(join(root, from))) cpSync(join(root, from), cwd, { recursive: true });
    const ids = new Map<string, string>();
    for (const step of readSteps(page)) {
      if (step.kind === "file") {
        mkdirSync(dirname(join(cwd, step.path)), { recursive: true });
        writeFileSync(join(cwd, step.path), step.text);
        continue;
      }
      const [command, ...words] = step.words;
      expect(command, `line ${step.line}`).toBe("parley");
      const known = words.map(
        (word) => [...ids].find(([shown]) => word.length > 4 && shown.startsWith(word))?.[1] ?? word,
      );
      const printed = (await print(known, { cwd })).trimEnd();
      learnIds(ids, step.shown.join("\n"), printed);
      const mismatch = findMismatch(blurPassing(step.shown.join("\n")).split("\n"), blurPassing(printed).split("\n"));
      expect(mismatch, `${name}:${step.line}: ${step.words.join(" ")}\n${printed}`).toBe(null);
    }
  });
});

/** A command in a process of its own: what it loads for itself is not this test's. */
async function printInProcess(args: string[], options: { cwd: string }): Promise<string> {
  const { out, err } = await spawnCli(args, options).ran;
  return `${out}${err}`;
}

/** A page's ids stand for those of this run, in the order in which they first appear. */
function learnIds(ids: Map<string, string>, shown: string, printed: string): void {
  const fresh = (text: string, known: Iterable<string>): string[] =>
    [...new Set(text.match(runId) ?? [])].filter((id) => ![...known].includes(id));
  const own = fresh(printed, ids.values());
  for (const [index, id] of fresh(shown, ids.keys()).entries()) ids.set(id, own[index] ?? id);
}
