import { describe, expect, it } from "vitest";
import {
  createRelevance,
  isExpected,
  lenses,
  listTerms,
  readValues,
  searchSentences,
  splitSentences,
} from "./index.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874. It burned down in 1901.\n\n- The river turned its wheel." },
  { id: "b.txt", text: "Railways took away the trade of the mill." },
];

it("sentences keep their source and know their neighbours", () => {
  const [first, second, third, fourth] = splitSentences(docs);
  expect([first?.id, second?.text, third?.text, fourth?.source]).toEqual([
    "a.txt#1",
    "It burned down in 1901.",
    "- The river turned its wheel.",
    "b.txt",
  ]);
  expect(first?.context).toBe("The mill was built in 1874. It burned down in 1901.");
  expect(splitSentences(docs)).toBe(splitSentences(docs));
});

describe("a sentence and the lines it stands on", () => {
  it.each([
    [
      "runs on in prose",
      "The keeper is called\nAnders Holm and is paid well.",
      ["The keeper is called Anders Holm and is paid well."],
    ],
    ["runs on in lower case", "the fee is\nthirty euros", ["the fee is thirty euros"]],
    ["ends where it ends", "It opened in May.\nIt closed in June.", ["It opened in May.", "It closed in June."]],
    ["is not joined to the next item", "Bring:\n- a pen\n- a book", ["Bring:", "- a pen", "- a book"]],
    ["is not joined to the next entry", "Fee: 34 euros\nDeposit: 20 euros.", ["Fee: 34 euros", "Deposit: 20 euros."]],
    ["is not joined in a list of lines", "Red\nGreen\nBlue", ["Red", "Green", "Blue"]],
  ])("%s", (_, text, sentences) => {
    const found = splitSentences([{ id: "a", text: `Title\n\n${text}` }]);
    expect(found.slice(1).map((one) => one.text)).toEqual(sentences);
  });
});

it("a search finds the sentence whatever the ending of the asked word", () => {
  const [best] = searchSentences(splitSentences(docs), "Which railway was it?", 1);
  expect(best?.sentence.source).toBe("b.txt");
  expect(listTerms("What caused it, what causes it?")).toEqual(["caus", "caus"]);
});

it.each(lenses)("through the lens %s, all asked words cover more than some, and none covers nothing", (lens) => {
  const sentences = splitSentences(docs);
  const relevance = createRelevance(sentences, lens);
  const [first, , third] = sentences;
  if (!first || !third) throw new Error("there are four sentences");
  expect(relevance(first, "mill built")).toBeGreaterThan(relevance(first, "mill sold"));
  expect(relevance(third, "airline")).toBe(0);
  expect(relevance(first, "the of")).toBe(0);
});

describe("what a text holds", () => {
  it.each([
    ["nine weeks", 9],
    ["twenty-five men", 25],
    ["4.2 million euros", 4_200_000],
    ["at -3 degrees", -3],
    ["a hundred boats", 100],
  ])("numbers: %s", (text, value) =>
    expect(
      readValues(text).values.flatMap((value) => (value.kind === "number" ? (value.readings[0] ?? []) : [])),
    ).toEqual([value]),
  );
  it.each([
    ["Why was it closed?", "It closed because of frost.", true],
    ["Why was it closed?", "It closed on Monday.", false],
    ["When was it closed?", "It closed on Monday.", true],
    ["Who signed it?", "It was signed by Adeyemi.", true],
    ["How many came?", "Nobody came.", false],
  ])("the kind of thing asked for: %s %s", (question, sentence, expected) =>
    expect(isExpected({ said: sentence, topic: "" }, question)).toBe(expected),
  );
});

describe("what a sentence is about", () => {
  const read = (text: string) => splitSentences([{ id: "a.md", text }]).map(({ said, about }) => [said, about]);

  it("one that begins with a pronoun is about what the one before is about, within its paragraph", () =>
    expect(read("The deposit is three rents. It is returned in May.\n\nIt rains.")).toEqual([
      ["The deposit is three rents.", ""],
      ["It is returned in May.", " · The deposit is three rents."],
      ["It rains.", ""],
    ]));
  it("one that leaves out what it denies is about what the one before says", () =>
    expect(read("Dogs are allowed in. Cats are not.")[1]).toEqual(["Cats are not.", " · Dogs are allowed in."]));
  it("the first below a heading that names causes is about what was told before", () =>
    expect(read("## Events\n\nOrders were refused.\n\n## Cause\n\nA key had expired. Nobody saw it.").slice(3)).toEqual(
      [
        ["A key had expired.", "Cause · Orders were refused."],
        ["Nobody saw it.", "Cause"],
      ],
    ));
  it("a row of a table says what it has under each column, and is quoted as it stands", () => {
    const rows = splitSentences([
      { id: "a.md", text: "Rooms:\n| Room | Seats |\n|---|---:|\n| Birke | 12 |\n| Fjord | |" },
    ]);
    expect(rows.map(({ kind, said, text }) => [kind, said, text])).toEqual([
      ["statement", "Rooms:", "Rooms:"],
      ["heading", "| Room | Seats |", "| Room | Seats |"],
      ["statement", "Room: Birke, Seats: 12", "| Birke | 12 |"],
      ["statement", "Room: Fjord", "| Fjord | |"],
    ]);
  });
  it("irregular forms are those of their word", () =>
    expect(listTerms("paid taught children")).toEqual(listTerms("pays teaching child")));
});
