/** The glossary of ARCHITECTURE.md is the one list of the product's words: all of them are used, and none has a second name. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { runCli } from "./support/cli.ts";

const root = resolve(import.meta.dirname, "..");
const read = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"));

const [, glossary = ""] = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n## Glossary\n");
const [section = ""] = glossary.split("\n## ");
const words = [...section.matchAll(/^\| (\w+) \|/gm)].map(([, word = ""]) => word).filter((word) => word !== "word");
const [, listed = ""] = /^Not used[^:]*: (.+)\.$/m.exec(section) ?? [];
const unused = listed.split(", ").map((one) => one.replace(/ \(.*/, ""));

const withoutComments = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, " ");
const splitIdentifiers = (code: string): string =>
  withoutComments(code)
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, " ")
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|[_-]/g, " ")
    .toLowerCase();
const uses = (text: string, word: string): boolean => new RegExp(`\\b${word}(?:s|es)?\\b`, "i").test(text);

const help = await Promise.all(Object.keys(commands).map(async (name) => (await runCli([name, "--help-all"])).out));
const shown = {
  help: help.join("\n"),
  docs: read("{README.md,CHANGELOG.md,CONTRIBUTING.md,docs/**/*.md}").join("\n"),
  viewer: read("src/web/**/*.{ts,tsx}").map(withoutComments).join("\n"),
};

it("the glossary has at most 25 words, each once", () => {
  expect(words.length).toBeGreaterThan(10);
  expect(words.length).toBeLessThanOrEqual(25);
  expect(new Set(words).size).toBe(words.length);
});

it.each(words)("%s is used in the help, the docs or the viewer, and in the code", (word) => {
  expect(Object.values(shown).some((text) => uses(text, word))).toBe(true);
  expect(uses(read("src/**/*.{ts,tsx}").map(splitIdentifiers).join("\n"), word)).toBe(true);
});

it.each(unused)("%s is used nowhere: not in help, docs or viewer, and in no identifier", (word) => {
  for (const [place, text] of Object.entries(shown)) expect([place, uses(text, word)]).toEqual([place, false]);
  const named = globSync("src/**/*.{ts,tsx}", { cwd: root }).filter((file) =>
    uses(splitIdentifiers(readFileSync(join(root, file), "utf8")), word),
  );
  expect(named).toEqual([]);
});
