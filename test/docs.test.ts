/** What the pages show is what is printed; `node scripts/refresh-docs.ts` writes what is printed into them. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "./support/cli.ts";
import { blurPassing, findMismatch, listMentions } from "./support/doc-page.ts";
import { findMistake, findUnknown } from "./support/parse-command.ts";
import { readPages, runPage } from "./support/run-page.ts";
import { shareOf } from "./support/share.ts";

const pages = readPages();
const withCommands = pages.filter(({ steps }) => steps.some(({ kind }) => kind === "command"));

describe.each(shareOf(withCommands, ({ isQuick }) => isQuick))("$name", (page) => {
  it("prints what it shows", async () => {
    for await (const { words, line, shown, printed } of runPage(page)) {
      const mismatch = findMismatch(
        shown.map((one) => blurPassing(one)),
        blurPassing(printed).split("\n"),
      );
      expect(mismatch, `${page.name}:${line}: ${words.join(" ")}\n${printed}`).toBe(null);
    }
  });
});

describe.each(pages.filter(({ text }) => text.includes("parley ")))("$name", ({ steps, text }) => {
  it("names commands and options that there are", async () => {
    const mistakes: string[] = [];
    for (const step of steps)
      if (step.kind === "example") mistakes.push(...listMistake(step, await findMistake(step.words.slice(1))));
    for (const mention of listMentions(text)) mistakes.push(...listMistake(mention, await findUnknown(mention.words)));
    expect(mistakes).toEqual([]);
  });
});

const listMistake = ({ line, words }: { line: number; words: string[] }, mistake: string | null): string[] =>
  mistake === null ? [] : [`line ${line}: ${words.join(" ")}: ${mistake}`];

const root = resolve(import.meta.dirname, "..");

it("every link of a page leads to a file", () => {
  const files = globSync("{*.md,docs/**/*.md}", { cwd: root });
  const broken = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .filter(([, target = ""]) => !existsSync(join(root, dirname(file), target)))
      .map(([, target = ""]) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

describe("docs/own-player.md", () => {
  it("has a sample that prints what the page says", () => {
    const page = readFileSync(join(root, "docs/own-player.md"), "utf8");
    const [, sample = "", printed = ""] = /```ts\n([\s\S]*?)```\n\nIt prints\n\n```\n([\s\S]*?)```/.exec(page) ?? [];
    const file = join(newFolder(), "sample.ts");
    const code = sample
      .replace('"parley/question"', JSON.stringify(join(root, "src/packs/question/index.ts")))
      .replace('"parley"', JSON.stringify(join(root, "src/index.ts")));
    writeFileSync(file, code);
    expect(execFileSync(process.execPath, [file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })).toBe(
      printed,
    );
  });
});

it("README fits two screens, a page for users 900 words, and all of docs 25,000", () => {
  const countWords = (file: string): number => readFileSync(join(root, file), "utf8").split(/\s+/).length - 1;
  const files = globSync("docs/**/*.md", { cwd: root });
  const long = files.filter((file) => !/^docs\/spec\/(?!product)/.test(file) && countWords(file) > 900);
  expect(long).toEqual([]);
  expect(files.map(countWords).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(25_000);
  expect(readFileSync(join(root, "README.md"), "utf8").split("\n").length).toBeLessThanOrEqual(121);
});
