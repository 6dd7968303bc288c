import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchTemplate } from "./mine/match-template.ts";
import { writeTemplateCsv } from "./write-template-csv.ts";

type Row = { LineId: string; EventId: string; EventTemplate: string; Content: string; File?: string };

test("one row for each line, in order, with quotes and commas intact", async () => {
  const line = fc.array(fc.constantFrom("job 7", 'say "hi"', "a,b", "x=1", "é", "10.0.0.1", ";"), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (words) => {
      const lines = words.map((parts) => parts.join(" "));
      const rows = await rowsOf([lines.join("\n")]);
      expect(rows.map(({ LineId }) => Number(LineId))).toEqual(lines.map((_, index) => index + 1));
      expect(rows.map(({ Content }) => Content)).toEqual(lines);
      for (const { EventTemplate, Content } of rows) expect(matchTemplate(EventTemplate, Content)).not.toBeNull();
      const listTexts = new Map(rows.map(({ EventId, EventTemplate }) => [EventId, EventTemplate]));
      for (const { EventId, EventTemplate } of rows) expect(listTexts.get(EventId)).toBe(EventTemplate);
    }),
    { numRuns: 40 },
  );
});

test("several sources are told apart by a File column", async () => {
  const rows = await rowsOf(["a 1\na 2\n", "a 3\n"]);
  expect(rows.map(({ LineId, EventId, File }) => [LineId, EventId, File?.slice(-5)])).toEqual([
    ["1", "T1", "0.log"],
    ["2", "T1", "0.log"],
    ["1", "T1", "1.log"],
  ]);
});

test("standard input can be written too", async () => {
  const stdin = (async function* () {
    yield Buffer.from("a 1\n  more\nb\n");
  })();
  let csv = "";
  await writeTemplateCsv(["-"], { stdin }, (text) => {
    csv += text;
  });
  expect(csv).toBe("LineId,EventId,EventTemplate,Content\r\n1,T1,a <*>,a 1\r\n3,T2,b,b\r\n");
});

async function rowsOf(listTexts: string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "parley-csv-test-"));
  try {
    const paths = listTexts.map((text, index) => {
      writeFileSync(join(folder, `${index}.log`), text);
      return join(folder, `${index}.log`);
    });
    let csv = "";
    await writeTemplateCsv(paths, { format: "plain" }, (text) => {
      csv += text;
    });
    return parse(csv, { columns: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
