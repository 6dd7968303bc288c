import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { DatasetSchema, loadDataset } from "./load-dataset.ts";
import { colourPack } from "../../../test/support/colour-pack.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-dataset-"));

function load(
  content: string | Uint8Array,
  spec: Record<string, unknown> = {},
  name = "cases.jsonl",
  pack = colourPack,
) {
  writeFileSync(join(folder, name), content);
  return loadDataset(DatasetSchema.parse({ path: name, ...spec }), pack, folder);
}

/** The colour pack with a format of its own: `word colour` on each line. */
const wordPack: typeof colourPack = {
  ...colourPack,
  measure: {
    ...(colourPack.measure as NonNullable<typeof colourPack.measure>),
    datasets: {
      word_list: {
        about: "a word and its colour on each line",
        endings: [".words"],
        read: ({ path, text }) => ({
          notes: ["read as words"],
          cases: text.split("\n").map((line, i) => {
            const [word, gold] = line.split(" ");
            return { id: null, input: { text: word }, gold, at: `${path}:${i + 1}` };
          }),
        }),
      },
    },
  },
};

const good = '{"id":"a","input":{"text":"sky"},"gold":"blue"}\n{"id":"b","input":{"text":"sun"},"gold":"red"}\n';

it("splits input from gold and hashes the text, packed or not", async () => {
  const plain = await load(good);
  expect(plain.cases).toEqual([
    { id: "a", input: { text: "sky" }, gold: "blue" },
    { id: "b", input: { text: "sun" }, gold: "red" },
  ]);
  expect(await load(gzipSync(good), {}, "cases.jsonl.gz")).toMatchObject({ hash: plain.hash, cases: plain.cases });
});

it("numbers rows without an id, limits, and shuffles by seed only", async () => {
  const many = Array.from({ length: 50 }, (_, i) => JSON.stringify({ input: { text: `t${i}` }, gold: "red" })).join(
    "\n",
  );
  expect((await load(many, { limit: 2 })).cases.map((one) => one.id)).toEqual(["row-1", "row-2"]);
  const texts = async (seed: number) => (await load(many, { shuffle: seed, limit: 5 })).cases.map((one) => one.input);
  expect(await texts(1)).toEqual(await texts(1));
  expect(await texts(1)).not.toEqual(await texts(2));
});

it.each([
  ["an empty file", "", {}, /is empty/],
  ["a file that is not there", null, { path: "nowhere.jsonl" }, /cannot read the dataset/],
  ["a binary file", Uint8Array.of(0x61, 0, 0x62), {}, /zero bytes/],
  ["another encoding", Uint8Array.of(0x7b, 0xe9, 0x7d), {}, /not UTF-8/],
  ["a cut off gzip", gzipSync(good).subarray(0, 30), {}, /damaged or cut off gzip/],
  ["a row without text", '{"input":{}}', {}, /input\.text: /],
  [
    "a column that has no place in the input",
    '{"input":{"text":"x","gold_hint":"red"}}',
    {},
    /unknown key "gold_hint"/,
  ],
  ["gold of another kind", '{"input":{"text":"x"},"gold":"gren"}', {}, /did you mean "green"\?/],
  ["two rows of one id", good.replaceAll('"b"', '"a"'), {}, /two rows have the id "a"/],
  ["an unknown format", good, { format: "jsnl" }, /did you mean "jsonl"\?/],
])("refuses %s", async (_what, content, spec, message) => {
  await expect(load(content ?? "", spec)).rejects.toThrow(message);
});

it("reads a format that the pack declares, by its name or by the file's ending, and by no other pack", async () => {
  const words = "sky blue\nsun red";
  for (const spec of [{ format: "word_list" }, {}])
    expect(await load(words, spec, "cases.words", wordPack)).toMatchObject({
      cases: [{ input: { text: "sky" }, gold: "blue" }, { gold: "red" }],
      notes: ["read as words"],
    });
  await expect(load(words, { format: "word_list" })).rejects.toThrow(/known: jsonl, csv\)/);
  await expect(load(words, { format: "word_list", map: { input: {} } }, "cases.words", wordPack)).rejects.toThrow(
    "the format word_list has its own mapping",
  );
});

it("leaves bad rows out and counts them when told to", async () => {
  const found = await load(`${good}{"input":{}}\n`, { skip_bad_rows: true });
  expect(found.cases).toHaveLength(2);
  expect(found.notes[0]).toMatch(/1 bad row was left out; the first: cases\.jsonl:3/);
});
