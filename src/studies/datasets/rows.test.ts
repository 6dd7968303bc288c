import { expect, it } from "vitest";
import { readCsv, readJsonl } from "./load-dataset.ts";

it("reads JSON Lines with blank lines and Windows ends, keeping line numbers", () => {
  expect(readJsonl('{"a":1}\r\n\r\n{"a":2}\r\n', "x.jsonl")).toEqual([
    { value: { a: 1 }, at: "x.jsonl:1" },
    { value: { a: 2 }, at: "x.jsonl:3" },
  ]);
});

it.each([
  ["comma", 'id,text\n1,"a, b\nc"\n2,d\n'],
  ["semicolon", 'id;text\n1;"a, b\nc"\n2;d\n'],
  ["tab", '\uFEFFid\ttext\n1\t"a, b\nc"\n2\td\n'],
])("reads CSV with %s, quotes, line breaks inside and a byte order mark", (_what, text) => {
  expect(readCsv(text, "x.csv").map((row) => row.value)).toEqual([
    { id: "1", text: "a, b\nc" },
    { id: "2", text: "d" },
  ]);
});

it("says where JSON or CSV is broken", () => {
  expect(() => readJsonl('{"a":1}\n{', "x.jsonl")).toThrow(/x\.jsonl:2: this is not valid JSON/);
  expect(() => readJsonl("[1]", "x.jsonl")).toThrow(/a row is a JSON object, this is a list/);
  expect(() => readCsv("a,b\n1,2,3\n", "x.csv")).toThrow(/not valid CSV/);
});
