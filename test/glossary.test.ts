/** The glossary of ARCHITECTURE.md is the one list of the product's words: all of them are used, and none has a second name. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { RunStatusSchema } from "../src/contract/run.ts";
import { packNames } from "../src/packs/registry.ts";
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
const [, forbidden = ""] = /^Not in names[^:]*: (.+?)\. /m.exec(section) ?? [];
const unnamed = forbidden.split("), ").map((one) => one.replace(/ \(.*/, ""));
const [, replaced = ""] = /^Not shown to users[^:]*: (.+)\.$/m.exec(section) ?? [];
const seconds = replaced.split(", ").map((one) => (/^(.+) \((\w+)\)$/.exec(one) ?? []).slice(1) as [string, string]);
/** A note of recorded runs has this name. */
const recorded = "told_apart";

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

const identifiers = new Map(
  globSync("{src,bench,scripts,test}/**/*.{ts,tsx}", { cwd: root }).map((file) => [
    file,
    splitIdentifiers(readFileSync(join(root, file), "utf8").replaceAll(recorded, "")),
  ]),
);
const findNamed = (word: string): string[] =>
  [...identifiers].filter(([, names]) => uses(names, word)).map(([file]) => file);

it("the glossary has at most 25 words, each once", () => {
  expect(words.length).toBeGreaterThan(10);
  expect(words.length).toBeLessThanOrEqual(25);
  expect(new Set(words).size).toBe(words.length);
});

it.each(words)("%s is used in the help, the docs or the viewer, and in the code", (word) => {
  expect(Object.values(shown).some((text) => uses(text, word))).toBe(true);
  expect(findNamed(word).filter((file) => !/\.test\.tsx?$/.test(file))).not.toEqual([]);
});

it.each(unused)("%s is used nowhere: not in help, docs or viewer, and in no identifier", (word) => {
  for (const [place, text] of Object.entries(shown)) expect([place, uses(text, word)]).toEqual([place, false]);
  expect(findNamed(word)).toEqual([]);
});

it.each(unnamed)("%s is in no identifier", (word) => {
  expect(findNamed(word)).toEqual([]);
});

it.each(seconds)("%s is shown nowhere: the word is %s", (second, word) => {
  expect(words).toContain(word);
  for (const [place, text] of Object.entries(shown)) expect([place, uses(text, second)]).toEqual([place, false]);
});

it("no pack, command or status has a name of the glossary that means something else", () => {
  const taken = new Set(words.filter((word) => !["run", "study"].includes(word)));
  expect(
    [...Object.keys(commands), ...packNames, ...RunStatusSchema.options].filter((name) => taken.has(name)),
  ).toEqual([]);
});
