/** `parley sentiment FILE --out TABLE`: reviews in, a table or a page out. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import writeSheet from "write-excel-file/node";
import { writeCell } from "../src/cli/sentiment-file.ts";
import { newFolder, runCli } from "./support/cli.ts";

const reviews = `no;comment;product;day
a;The food was great but the service was slow.;Inn;2026-01-02
b;=cmd|' /C calc'!A0 is a lovely lamp.;Lamp;2026-01-03
c;It arrived on Tuesday.;Lamp;2026-02-01
`;

function folderWith(files: Record<string, string>): string {
  const cwd = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

describe("reviews in, a table out", () => {
  it("keeps the columns, gives each aspect a row, and hands no formula to a spreadsheet", async () => {
    const cwd = folderWith({ "reviews.csv": reviews });
    const ran = await runCli(["sentiment", "reviews.csv", "--id", "no", "--out", "results.csv"], { cwd });
    expect(ran).toMatchObject({ code: 0, out: "" });
    const rows = parse(readFileSync(join(cwd, "results.csv")), { columns: true, bom: true }) as unknown as Record<
      string,
      string
    >[];
    expect(
      rows.filter(({ no }) => no === "a").map(({ aspect, polarity, product }) => [aspect, polarity, product]),
    ).toEqual([
      ["food", "positive", "Inn"],
      ["service", "negative", "Inn"],
    ]);
    expect(rows.find(({ no }) => no === "b")?.comment).toMatch(/^'=cmd/);
    expect(rows.filter(({ no }) => no === "c")).toHaveLength(1);
  });

  it("reads Excel files, and writes a page that runs no script", async () => {
    const [header, ...rows] = reviews.trim().split("\n");
    const cells = [header, ...rows].map((line) => line?.split(";") ?? []);
    const cwd = newFolder();
    writeFileSync(join(cwd, "reviews.xlsx"), await writeSheet(cells).toBuffer());
    const read = await runCli(["sentiment", "reviews.xlsx", "--text", "comment"], { cwd });
    expect(read.out).toContain("food positive");
    expect((await runCli(["sentiment", "reviews.xlsx", "--out", "summary.html"], { cwd })).code).toBe(0);
    const page = readFileSync(join(cwd, "summary.html"), "utf8");
    expect(page).toContain("Over time (day)");
    expect(page.split("By aspect").at(-1)).toMatch(/<span class="good">\d+<\/span><svg class="track"/);
    expect(page).not.toMatch(/<script|https?:/);
  });

  it("draws many days as a line, not as a bar for each", async () => {
    const days = Array.from({ length: 20 }, (_, n) => `2026-0${1 + (n % 2)}-${10 + n};The food was great.`);
    const cwd = folderWith({ "reviews.csv": ["day;comment", ...days].join("\n") });
    expect((await runCli(["sentiment", "reviews.csv", "--out", "page.html"], { cwd })).code).toBe(0);
    const page = readFileSync(join(cwd, "page.html"), "utf8");
    const chart = page.split("Over time (day)").at(-1);
    expect(chart).toMatch(/aria-label="opinions that are positive"[\s\S]*?2026-01-10[\s\S]*?<polyline/);
  });

  it.each([
    ["a column that is not there", ["--text", "coment"], /has no such column; did you mean "comment"\?/],
    ["a folder that cannot be", ["--out", "reviews.csv/x.csv"], /reviews\.csv/],
    ["the input itself", ["--out", "reviews.csv"], /would replace the cases/],
  ])("says once for the file what is wrong: %s", async (_, words, message) => {
    const cwd = folderWith({ "reviews.csv": reviews });
    const ran = await runCli(["sentiment", "reviews.csv", ...words], { cwd });
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.err).toMatch(message);
    expect(ran.out).toBe("");
  });

  it("a cell of a million letters is refused as too long, in seconds", async () => {
    const cwd = folderWith({
      "r.csv": `text,note\nThe food was great.,${"a".repeat(1_000_000)}\n${"b".repeat(1_000_000)},x\n`,
    });
    const begun = performance.now();
    const ran = await runCli(["sentiment", "r.csv", "--out", "out.csv"], { cwd });
    expect(ran.err).toContain("longer than 20000 characters");
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it("a ragged row fails alone", async () => {
    const cwd = folderWith({ "ragged.csv": "id,text\n1,Good food.\n2\n3,Bad,x\n" });
    const { code, out } = await runCli(["sentiment", "ragged.csv"], { cwd });
    expect(code).toBe(3);
    expect(out).toContain("food positive");
    expect(out).toContain("line 3 has 1 values, the header has 2");
  });

  it("rows that are neither Korean nor English are counted, and each says so", async () => {
    const rows = [
      "text",
      "Das Essen war gut aber die Bedienung war unfreundlich",
      "料理はおいしいです",
      "The soup was great",
    ];
    const cwd = folderWith({ "reviews.csv": rows.join("\n") });
    const { err, out } = await runCli(["sentiment", "reviews.csv", "--json"], { cwd });
    expect(err).toContain("2 rows are neither Korean nor English: read as English");
    expect(out.match(/neither Korean nor English/g)).toHaveLength(2);
  });

  it("two columns of one name are refused", async () => {
    const cwd = folderWith({ "reviews.csv": "id,text,text\n1,Good soup,Bad soup\n" });
    const { code, err } = await runCli(["sentiment", "reviews.csv"], { cwd });
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('two columns are called "text"')]);
    expect(code).not.toBe(0);
  });

  it("a row in two languages is read by sentence", async () => {
    const cwd = folderWith({
      "mixed.csv": "id,text\n7,The soup was lovely. 직원이 불친절했어요. 화장실은 더러워요.\n",
    });
    const { out, err } = await runCli(["sentiment", "mixed.csv"], { cwd });
    expect(err).toContain("1 row is in two languages: read by sentence");
    expect(out.split("\n").map((line) => line.split("\t")[0])).toEqual(["7.1", "7.2", ""]);
    expect(out).toMatch(/7\.1\t.*soup positive\n7\.2\t.*직원 negative, 화장실 negative/);
  });

  it("an empty file is the same error in every format", async () => {
    const cwd = folderWith({ "empty.csv": "", "empty.jsonl": "", "empty.txt": "\n" });
    for (const file of ["empty.csv", "empty.jsonl", "empty.txt"])
      expect(await runCli(["sentiment", file], { cwd })).toMatchObject({
        code: 2,
        err: `parley: ${file}: the file is empty\n`,
      });
  });
});

it.each([
  ["=1+1", "'=1+1"],
  ["-5", "-5"],
  ["+49 30 1", "'+49 30 1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ['say "hi", now', '"say ""hi"", now"'],
  [-3, "-3"],
  [null, ""],
])("a cell %j is written as %s", (value, written) => {
  expect(writeCell(value)).toBe(written);
});

it.each(["review text", "내용", "Kommentar"])(
  "a column of sentences is found by its content, whatever it is called: %s",
  async (column) => {
    const cwd = folderWith({
      "r.csv": `review_id,stars,${column}\n1,5,The soup was lovely and hot\n2,1,\n3,1,The waiter was rude to us\n`,
    });
    const { code, out, err } = await runCli(["sentiment", "r.csv"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("soup positive");
    expect(err).toContain("1 row has no text: skipped");
  },
);

it("the same few texts again and again are still the texts, if their column says so", async () => {
  const cwd = folderWith({ "r.csv": `review_id,reviewer,review text\n${"RV-1,Kim Lee,Lovely room.\n".repeat(6)}` });
  const { code, out } = await runCli(["sentiment", "r.csv"], { cwd });
  expect(code).toBe(0);
  expect(out).toContain("room positive");
});

it("a few short Korean reviews are a column of texts too", async () => {
  const cwd = folderWith({ "r.csv": "review_id,리뷰\n1,배송은 빨랐지만 포장이 엉망이에요\n2,맛있어요\n3,\n" });
  const { code, out } = await runCli(["sentiment", "r.csv"], { cwd });
  expect(code).toBe(0);
  expect(out).toContain("포장 negative");
});

it("--out r.pdf is refused: nothing is made", async () => {
  const cwd = folderWith({ "r.csv": "id,text\n1,The soup was lovely\n" });
  const { code, err } = await runCli(["sentiment", "r.csv", "--out", "r.pdf"], { cwd });
  expect(code).toBe(2);
  expect(err).toContain("--out r.pdf: results are written as .csv");
});
