import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findCitedProvisions } from "../citations/cited-provisions.ts";
import { loadKnowledge, addItems } from "../items/knowledge.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { route } from "../router/route.ts";
import { loadCorpora, saveCorpus } from "./corpus-folder.ts";
import { writeLawKey } from "./corpus-entry.ts";
import { selectOwnItems } from "./own-items.ts";
import { parseCorpus } from "./parse-corpus.ts";

const markdown = `# UU No. 12 Tahun 2031
## Pasal 4
Iuran perahu danau dibayar tiap tahun kepada koperasi nelayan.
## Pasal 5
Koperasi nelayan mencatat setiap perahu danau.
`;

it("Markdown: a heading with text is an item, and its law and article are an alias", () => {
  const { items, problems } = parseCorpus(markdown, "markdown", "danau");
  expect(problems).toEqual([]);
  expect(items.map(({ id, title, aliases }) => [id, title, aliases])).toEqual([
    ["OWN-danau-uu-12-2031-4", "UU No. 12 Tahun 2031 Pasal 4", ["UU-12-2031:4"]],
    ["OWN-danau-uu-12-2031-5", "UU No. 12 Tahun 2031 Pasal 5", ["UU-12-2031:5"]],
  ]);
});

it.each([
  ["# UU 1/2023 Pasal 597\nTeks.", "UU-1-2023:597", "UU 1/2023 Pasal 597"],
  ["# Pasal 597 KUHP baru\nTeks.", "UU-1-2023:597", "Pasal 597 KUHP baru"],
  ["# KUHP\n## Pasal 597: Hukum yang hidup\nTeks.", "UU-1-2023:597", "KUHP Pasal 597: Hukum yang hidup"],
  ["# UU 1/2023\n## Pasal 597\nTeks.", "UU-1-2023:597", "UU 1/2023 Pasal 597"],
  [
    "# Undang-Undang Nomor 1 Tahun 2023\n## Pasal 597.\nTeks.",
    "UU-1-2023:597",
    "Undang-Undang Nomor 1 Tahun 2023 Pasal 597.",
  ],
])("%j is the article %s", (text, alias, title) => {
  const [item] = parseCorpus(text, "markdown", "kuhp").items;
  expect([item?.aliases, item?.title]).toEqual([[alias], title]);
});

it("what is imported is found, can be cited, and widens the scope", () => {
  const { items } = parseCorpus(markdown, "markdown", "danau");
  const knowledge = addItems(loadKnowledge(), items);
  const query = "Kepada siapa iuran perahu danau dibayar tiap tahun?";
  expect(route(query).out_of_scope).toBe(true);
  expect(route(query, null, knowledge).out_of_scope).toBe(false);
  expect(retrieve(query, {}, knowledge).evidence[0]?.id).toBe("OWN-danau-uu-12-2031-4");
  expect(findCitedProvisions("Pasal 5 UU 12/2031", knowledge)).toMatchObject([
    { id: "OWN-danau-uu-12-2031-5", known: true },
  ]);
  expect(selectOwnItems(query, items)[0]?.id).toBe("OWN-danau-uu-12-2031-4");
});

it("an entry without a source or a confidence is unconfirmed and names its file and place", () => {
  const { items } = parseCorpus('[{"text":"Norma.","community":"Bali"}]', "json", "catatan");
  expect(items[0]).toMatchObject({
    domain: "adat",
    kind: "norm",
    community: "bali",
    confidence: "unconfirmed",
    source: "catatan, entry 1",
  });
});

it.each([
  ["json", "{", "the file: not JSON"],
  ["json", '{"a":1}', "must hold an array"],
  ["json", "[]", "holds no entry"],
  ["json", '[{"txt":"x"}]', 'unknown key "txt"; did you mean "text"'],
  ["jsonl", '{"text":"a"}\n{bad', "line 2: not JSON"],
  ["jsonl", '{"text":" "}', "line 1, text: is empty"],
  ["json", '[{"id":"A","text":"a"},{"id":"A","text":"b"}]', "already the id of an earlier entry"],
  ["markdown", "no heading", "no heading with text"],
  ["markdown", "# UU 1/2031\n## Pasal 1\n", "line 2, text: is empty"],
] as const)("%s %j: %s", (format, text, message) => {
  expect(parseCorpus(text, format, "file").problems.join("\n")).toContain(message);
});

it("one bad line does not lose the others", () => {
  expect(parseCorpus('{"text":"a"}\n{bad\n{"text":"b"}', "jsonl", "file").items).toHaveLength(2);
});

it("a corpus is kept, replaced by the next import of its name, and a foreign file is an error that names it", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "parley-corpus-")), "law");
  expect(loadCorpora(folder)).toEqual([]);
  const { items } = parseCorpus(markdown, "markdown", "danau");
  saveCorpus(folder, "danau", items);
  saveCorpus(folder, "danau", items.slice(0, 1));
  expect(loadCorpora(folder)).toEqual([{ corpus: "danau", items: items.slice(0, 1) }]);
  writeFileSync(join(folder, "x.json"), "{}");
  expect(() => loadCorpora(folder)).toThrow(/x\.json/);
});

it.each([
  ["UU No. 11 Tahun 2020", "UU-11-2020"],
  ["Undang-Undang Nomor 7 Tahun 1989", "UU-7-1989"],
  ["PP 24/1997", "PP-24-1997"],
  ["Awig-awig Desa X", "Awig-awig-Desa-X"],
])("the law %s is %s", (law, key) => expect(writeLawKey(law)).toBe(key));
