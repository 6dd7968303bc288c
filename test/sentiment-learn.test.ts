import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FinalOutput } from "../src/packs/sentiment/index.ts";
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
  expect(learnt.out).toMatch(/the new layer is right on 1\.000/);
  expect(learnt.out).toMatch(/before: the bundled layer is right on 0\.\d+ of 60 labels/);
  expect(learnt.out).toContain("difference: +");
  const file = join(cwd, ".parley/sentiment/layer-en.json");
  const read = await runCli(["sentiment", "The cabinet is glacial.", "--json"], { cwd });
  expect(read.code, read.err).toBe(0);
  const { final_result } = JSON.parse(read.out) as FinalOutput;
  expect(final_result.final_tuples).toMatchObject([{ aspect_term: "cabinet", polarity: "positive" }]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: "parley-opinion-layer", version: 3 });
});

it("before and after are told on held-out folds, with what more labels would bring", async () => {
  const many = Array.from({ length: 2 }, (_, part) =>
    rows.map(({ text, aspects }) => ({ text: `${part + 1}. ${text}`, aspects })),
  ).flat();
  const cwd = folderWith({
    "few.jsonl": labelled,
    "many.jsonl": many.map((row) => `${JSON.stringify(row)}\n`).join(""),
  });
  const few = await runCli(["sentiment", "learn", "few.jsonl"], { cwd });
  expect(few.out).toContain("with 80 labels or more, this line estimates what further labels would bring");
  const learnt = await runCli(["sentiment", "learn", "many.jsonl"], { cwd });
  expect(learnt.out).toMatch(/half of these labels \d\.\d{3}, all of them 1\.000: .*more labels/);
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
  const learnt = await runCli(["sentiment", "learn", "ko.jsonl"], { cwd });
  expect(learnt.err).toContain("written:");
  expect(learnt.out).toMatch(/the new layer is right on 1\.000/);
});

it("the same labelled texts give the same file", async () => {
  const written = [1, 2].map(async () => {
    const cwd = folderWith({ "labelled.jsonl": labelled });
    expect((await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd })).code).toBe(0);
    return readFileSync(join(cwd, ".parley/sentiment/layer-en.json"), "utf8");
  });
  const [first, second] = await Promise.all(written);
  expect(first).toBe(second);
});

it("what was taught already measures nothing, so it is not taught again", async () => {
  const cwd = folderWith({ "labelled.jsonl": labelled });
  await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd });
  const again = await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd });
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("was taught all of these texts already")]);
});

it("a layer that measures worse does not take the place of a better one", async () => {
  const noise = rows.map((row, index) => ({
    ...row,
    text: index === 0 ? `${row.text} Well.` : row.text,
    aspects: [{ ...row.aspects[0], polarity: (index * index) % 7 < 3 ? "positive" : "negative" }],
  }));
  const cwd = folderWith({
    "labelled.jsonl": labelled,
    "noise.jsonl": noise.map((row) => `${JSON.stringify(row)}\n`).join(""),
  });
  await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd });
  const layer = join(cwd, ".parley/sentiment/layer-en.json");
  const before = readFileSync(layer, "utf8");
  const again = await runCli(["sentiment", "learn", "noise.jsonl"], { cwd });
  expect(again.code).not.toBe(0);
  expect(again.err).toContain("not written:");
  expect(readFileSync(layer, "utf8")).toBe(before);
});

it("rows of reviewed cases and CSV files are labelled files too", async () => {
  const reviewed = rows.map(
    ({ id, text, aspects }) => `${JSON.stringify({ id, input: { text }, gold: { aspects } })}\n`,
  );
  const csv = rows.map(({ text, aspects }) => `${text},${aspects[0]?.term},${aspects[0]?.polarity}`);
  const files = { "reviewed.jsonl": reviewed.join(""), "table.csv": `내용,term,polarity\n${csv.join("\n")}\n` };
  for (const [name, content] of Object.entries(files)) {
    const cwd = folderWith({ [name]: content });
    expect((await runCli(["sentiment", "learn", name], { cwd })).err).toContain("written:");
  }
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

it("a file that is no layer is refused by name", async () => {
  const cwd = folderWith({ "bad.json": "{}" });
  const read = await runCli(["sentiment", "Great food", "--set", `learnt.en=${join(cwd, "bad.json")}`], { cwd });
  expect(read.code).toBe(1);
  expect(read.out).toContain("is not a learnt layer");
});
