import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

/** A trade in which "cold" is praise and "warm" is blame, which no rule knows. */
const parts = ["box", "shelf", "drawer", "cabinet", "locker", "cooler"];
const words = [
  ["glacial", "positive"],
  ["tepidish", "negative"],
] as const;
const rows = Array.from({ length: 60 }, (_, index) => {
  const [word, polarity] = words[index % 2] as (typeof words)[number];
  const term = parts[index % parts.length] as string;
  return { id: index, text: `Unit ${index}: the ${term} is ${word}.`, aspects: [{ term, polarity }] };
});
const labelled = rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function folderWith(files: Record<string, string>): string {
  const cwd = newFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

it("what was learnt is measured, kept in the project and used from then on", async () => {
  const cwd = folderWith({ "labelled.jsonl": labelled });
  const learnt = await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd });
  expect(learnt.code, learnt.err).toBe(0);
  expect(learnt.out).toMatch(/learnt here, by cross-validation +1\.000/);
  expect(learnt.out).toContain("learnt against the layer that ships: +");
  const file = join(cwd, ".parley/sentiment/layer-en.json");
  const read = await runCli(["sentiment", "The freezer is glacial.", "--json", "--set", "enable_debate=false"], {
    cwd,
  });
  expect(read.code, read.err).toBe(0);
  const shown = JSON.parse(read.out) as { config?: unknown };
  expect(JSON.stringify(shown)).toContain("positive");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: "parley-opinion-layer", version: 2 });
});

it("before and after are told on held-out folds, with what more labels would bring", async () => {
  const many = Array.from({ length: 2 }, (_, part) =>
    rows.map(({ text, aspects }) => ({ text: `${part + 1}. ${text}`, aspects })),
  ).flat();
  const cwd = folderWith({
    "few.jsonl": labelled,
    "many.jsonl": many.map((row) => `${JSON.stringify(row)}\n`).join(""),
  });
  const few = await runCli(["sentiment", "learn", "few.jsonl", "--model", "few.json"], { cwd });
  expect(few.out).toContain("with 80 labels or more it is said what further ones would bring");
  const told = await runCli(["sentiment", "learn", "many.jsonl", "--model", "many.json"], { cwd });
  expect(told.out).toMatch(/half of these labels \d\.\d{3}, all of them 1\.000: .*more labels/);
});

it("reviews answered in the inbox are labels with one command", async () => {
  const texts = Array.from({ length: 15 }, (_, at) => `Unit ${at}: the box is glacial and the shelf is tepidish.`);
  const gold = JSON.stringify({
    aspects: [
      { term: "box", polarity: "positive" },
      { term: "shelf", polarity: "negative" },
    ],
  });
  const cwd = folderWith({ "texts.jsonl": texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join("") });
  await runCli(["sentiment", "texts.jsonl", "--set", "act_above=0.999"], { cwd });
  const waiting = (await runCli(["review"], { cwd })).out.split("\n").filter((line) => line.includes("sentiment"));
  expect(waiting).toHaveLength(texts.length);
  for (const line of waiting)
    await runCli(["review", line.split(" ")[0] ?? "", "--replace", "as labelled", "--gold", gold], { cwd });
  const learnt = await runCli(["sentiment", "learn", "--reviews"], { cwd });
  expect(learnt.code, learnt.err).toBe(0);
  expect(learnt.out).toContain("reviews: 15 texts, 30 labelled aspects, language en");
});

it("Korean is taught in the same way", async () => {
  const korean = Array.from({ length: 40 }, (_, at) => ({
    text: `${at}번 상자는 ${at % 2 === 0 ? "뽀르락" : "꾸므적"}합니다.`,
    aspects: [{ term: "상자", polarity: at % 2 === 0 ? "positive" : "negative" }],
  }));
  const cwd = folderWith({ "ko.jsonl": korean.map((row) => `${JSON.stringify(row)}\n`).join("") });
  const learnt = await runCli(["sentiment", "learn", "ko.jsonl", "--model", "ko.json"], { cwd });
  expect(learnt.err).toContain("written:");
  expect(learnt.out).toMatch(/learnt here, by cross-validation +1\.000/);
});

it("the same labelled texts give the same file", async () => {
  const cwd = folderWith({ "labelled.jsonl": labelled });
  for (const name of ["a.json", "b.json"])
    expect((await runCli(["sentiment", "learn", "labelled.jsonl", "--model", name], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe(readFileSync(join(cwd, "b.json"), "utf8"));
});

it("a layer that measures worse does not take the place of a better one", async () => {
  const noise = rows.map((row, index) => ({
    ...row,
    aspects: [{ ...row.aspects[0], polarity: (index * index) % 7 < 3 ? "positive" : "negative" }],
  }));
  const cwd = folderWith({
    "labelled.jsonl": labelled,
    "noise.jsonl": noise.map((row) => `${JSON.stringify(row)}\n`).join(""),
  });
  await runCli(["sentiment", "learn", "labelled.jsonl", "--model", "layer.json"], { cwd });
  const before = readFileSync(join(cwd, "layer.json"), "utf8");
  const again = await runCli(["sentiment", "learn", "noise.jsonl", "--model", "layer.json"], { cwd });
  expect(again.code).not.toBe(0);
  expect(again.err).toContain("not written:");
  expect(readFileSync(join(cwd, "layer.json"), "utf8")).toBe(before);
});

it("rows of reviewed cases and CSV files are labelled files too", async () => {
  const reviewed = rows.map(
    ({ id, text, aspects }) => `${JSON.stringify({ id, input: { text }, gold: { aspects } })}\n`,
  );
  const csv = rows.map(({ text, aspects }) => `${text},${aspects[0]?.term},${aspects[0]?.polarity}`);
  const cwd = folderWith({
    "reviewed.jsonl": reviewed.join(""),
    "table.csv": `text,term,polarity\n${csv.join("\n")}\n`,
  });
  for (const name of ["reviewed.jsonl", "table.csv"])
    expect((await runCli(["sentiment", "learn", name, "--model", `${name}.json`], { cwd })).err).toContain("written:");
});

it.each([
  ['{"text": "x"}', 'no labels; a row has a list "aspects"'],
  ['{"aspects": []}', "no text"],
  ['{"text": "x", "aspects": [{"term": "x", "polarity": "great"}]}', '"great" is no polarity'],
  ['{"text": "x", "aspects": [{"term": "x", "polarity": "positive"}]}', "at least 30 labelled aspects"],
])("a labelled file that cannot be learnt from is refused by name: %s", async (content, message) => {
  const cwd = folderWith({ "bad.jsonl": content });
  const { code, err } = await runCli(["sentiment", "learn", "bad.jsonl"], { cwd });
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(existsSync(join(cwd, ".parley/sentiment/layer-en.json"))).toBe(false);
});

it("a file that is no layer is refused before anything runs", async () => {
  const cwd = folderWith({ "bad.json": "{}" });
  const { code, err } = await runCli(["sentiment", "Great food", "--model", "bad.json"], { cwd });
  expect(code).toBe(2);
  expect(err).toContain("this is not a learnt layer");
});
