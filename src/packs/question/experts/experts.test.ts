import { describe, expect, it } from "vitest";
import { runDebate } from "../../../index.ts";
import { question as pack } from "../pack.ts";
import { inspectAnswer, stateCertainty } from "./experts.ts";
import { scoreSigns, shippedFits } from "./reader.ts";

const docs = [
  {
    id: "statutes-2021.md",
    text: "# Statutes\n\nAdopted on 14 March 2021.\n\n## § 1 Fees\n\nThe yearly fee is 180 euros for adults and 60 euros for juniors.\n\n## § 2 Boats\n\nBoats longer than nine metres are not admitted. Dogs must be on a lead.\n\n## § 3 Office\n\nThe office is open on Tuesday from 17:00 to 19:00.",
  },
  {
    id: "amendment-2024.md",
    text: '# Amendment\n\nDecided on 9 November 2024.\n\n1. In § 1, "180 euros" is replaced by "210 euros".\n2. § 2 sentence 1 is repealed.',
  },
  {
    id: "berths.md",
    text: "# Berths 2026\n\n| Jetty | Length | Price | Keeper |\n|---|---|---|---|\n| A | 7 m | 310 EUR | Jonas Berg |\n| B | 9 m | 455 EUR | Mirja Salo |\n\nThe fee is due on 31 March.",
  },
  {
    id: "people.txt",
    text: "People\n\nJonas Berg - keeper - phone 0555-31\nMirja Salo - keeper - phone 0555-84\nAuthor: Tove Lind",
  },
  { id: "notice-2025.txt", text: "NOTICE\n3 May 2025\n\nThe office is now open on Wednesday from 16:00 to 18:00." },
];

async function ask(question: string) {
  const { result } = await runDebate(pack, { question, docs });
  const { decision, outcome, reasons } = result;
  return {
    said: outcome === "decided" ? (decision?.short_answer ?? decision?.answer ?? null) : null,
    decision,
    reasons,
  };
}

describe("the program that reads", () => {
  it.each([
    ["an amendment is applied to its section", "What is the yearly fee for adults?", "210 euros"],
    ["what held at the time asked about", "What was the yearly fee for adults in 2022?", "180 euros"],
    ["a later notice wins", "When is the office open?", "Wednesday"],
    ["the cell under the asked column", "What is the price of a berth on jetty B?", "455 EUR"],
    ["a name: value line", "Who is the author?", "Tove Lind"],
    ["two steps", "What is the phone of the keeper of jetty B?", "0555-84"],
    ["a comparison", "Which jetty is cheaper, A or B?", "A"],
    ["a comparison in the middle of a sentence", "Is a berth dearer on jetty A or on jetty B?", "B"],
    ["a day in a sentence", "When is the fee due?", "31 March"],
  ])("%s: %s", async (_, question, answer) => {
    const { said, decision } = await ask(question);
    expect(`${said ?? "–"} ${decision?.answer ?? ""}`).toContain(answer);
  });
  it.each(["(", "[", "*", "((a+)+$", "\\", "a{2"])("takes the key %s of a choice as it is written", async (key) => {
    const choices = [key, "B"].map((one) => ({ key: one, text: `** ${one}` }));
    const said = [{ id: "a.md", text: `It is not ${key}${"a".repeat(60)}! It is ** ${key}, never ${key}.` }];
    const { outcome } = await runDebate(pack, { question: "Which one is it?", choices, docs: said }).then(
      (ran) => ran.result,
    );
    expect(outcome).not.toBe("failed");
  });
  it.each([
    ["What does a berth in Oslo cost?", "“Oslo”"],
    ["Who repaired the lighthouse?", "never mention"],
    ["What is the price of a berth on jetty D?", "“D”"],
  ])("refuses: %s", async (question, why) => {
    const { said, reasons } = await ask(question);
    expect(said).toBeNull();
    expect(reasons.join(" ")).toContain(why);
  });
  it("a choice that the documents deny is not chosen", async () => {
    const said = [
      {
        id: "a.md",
        text: "# Cracks\n\nThe engineering office found that not frost caused the cracks in the bearings.",
      },
    ];
    const asked = { question: "What caused the cracks in the bearings?", choices: ["frost", "steel"], docs: said };
    expect((await runDebate(pack, asked)).result.decision?.canonical ?? null).toBeNull();
  });
  it("names the step that is missing", async () => {
    const given = [{ id: "jetties.md", text: "| Jetty | Keeper |\n|---|---|\n| A | Jonas Berg |\n| B | Mirja Salo |" }];
    const more = [
      { id: "people.txt", text: "# People\n\nThe phone of Jonas Berg is 0555-31. Mirja Salo was hired in 2019." },
    ];
    const question = "What is the phone of the keeper of jetty B?";
    const { result } = await runDebate(pack, { question, docs: [...given, ...more] });
    expect(result.outcome).toBe("undecided");
    expect(result.reasons.join(" ")).toContain("nothing found about Mirja Salo says “phone”");
  });
  it("who declines shows the nearest passages", async () => {
    const finished = await runDebate(pack, { question: "Who repaired the engine of a boat?", docs });
    expect(finished.result.outcome).toBe("undecided");
    const near = pack.sections(finished).find(({ title }) => title?.startsWith("Closest passages"));
    expect(near).toMatchObject({
      kind: "facts",
      rows: expect.arrayContaining([expect.objectContaining({ label: expect.any(String) })]),
    });
  });
  it("a reason stands in the sentence after the fact", async () => {
    const text = "# Pool\n\nThe pool is closed in the winter. Last year two pipes froze and split. Towels are sold.";
    const { result } = await runDebate(pack, {
      question: "Why is the pool closed in the winter?",
      docs: [{ id: "pool.md", text }],
    });
    expect(result.decision?.answer).toContain("pipes froze");
    expect(result.decision?.answer).not.toContain("Towels");
  });
  it("a repealed sentence is no answer, and a changed one is quoted with what changes it", async () => {
    const { decision } = await ask("What is the yearly fee for adults?");
    expect(decision?.sources.map(({ source }) => source)).toEqual(["statutes-2021.md", "amendment-2024.md"]);
    const { said } = await ask("Which boats are not admitted?");
    expect(said ?? "").not.toContain("nine metres");
  });
});

it("material says how it was found: grounded, no match, unavailable", async () => {
  const prepare = (question: string, given: typeof docs) =>
    pack.prepare(pack.input.parse({ question, docs: given }), pack.config.parse({}), { embed: null });
  expect((await prepare("What is the fee?", docs)).retrieval).toBe("grounded");
  expect((await prepare("Quantum chromodynamics?", docs)).retrieval).toBe("no_match");
  expect((await prepare("What is the fee?", [])).retrieval).toBe("unavailable");
  const { changes } = await prepare("What is the fee?", docs);
  expect(changes.map(({ now }) => now)).toEqual([expect.stringContaining("210 euros"), null]);
});

it.each<[string, string | null]>([
  ["Rule 2: “20 euros” becomes “25 euros”.", "The guest fee is 25 euros a day."],
  ["Dalam pasal 2, “20 euros” kini berbunyi “25 euros”.", "The guest fee is 25 euros a day."],
  ["제2조의 “20 euros”를 “25 euros”로 한다.", "The guest fee is 25 euros a day."],
  ["The board has put “25 euros” where “20 euros” stood.", null],
  ["Rule 2 now reads: “The guest fee is 25 euros a day.”", "The guest fee is 25 euros a day."],
  ["Rule 3: “20 words” becomes “25 words”.", null],
  ["The words after “guest fee” in rule 2 become “25 euros”.", null],
  ["Rule 2 was called “unfair” by some and “fair” by others.", null],
  ["Rule 3 now reads: “Towels are washed at noon.”", null],
  ["Somebody said that in rule 2 “20 euros” becomes “25 euros”.", null],
])("the change “%s” is found by what it quotes: %s", async (said, now) => {
  const rules =
    "# Rules of 2020\n\n## 2 Fees\n\nThe guest fee is 20 euros a day.\n\n## 3 Names\n\nGuests sign the book.";
  const given = [
    { id: "rules.md", text: rules },
    { id: "news.md", text: `# News of 2024\n\n${said}` },
  ];
  const input = pack.input.parse({ question: "What is the guest fee?", docs: given });
  const { changes } = await pack.prepare(input, pack.config.parse({}), { embed: null });
  expect(changes.map((change) => change.now)).toEqual(now === null ? [] : [now]);
});

it("vectors of an embedding model join the order of words", async () => {
  const papers = Array.from({ length: 40 }, (_, index) => ({
    id: `${index}.txt`,
    text: `Paper ${index} tells of boats, harbours and tides at some length.`,
  }));
  const far = { id: "key.txt", text: "Canines stay leashed near the boats." };
  const embed = async (texts: readonly string[]) => texts.map((text) => (/canine|dog/i.test(text) ? [1, 0] : [0, 1]));
  const config = pack.config.parse({ document_characters: 500, passages: 3 });
  const input = pack.input.parse({ question: "Must dogs be on a lead near boats?", docs: [...papers, far] });
  const found = await pack.prepare(input, config, { embed: { model: "test/embedder", embed } });
  expect(found.passages.map(({ source }) => source)).toContain("key.txt");
  expect(found.by).toContain("test/embedder");
});

it("an embedding model makes a statement that says it in other words surer, and one far away less sure", async () => {
  const question = "When is the harbour master there?";
  const play = async (near: RegExp) => {
    const embed = async (texts: readonly string[]) =>
      texts.map((text) => (text === question || near.test(text) ? [1, 0] : [0, 1]));
    const input = pack.input.parse({ question, docs });
    const material = await pack.prepare(input, pack.config.parse({}), { embed: { model: "test/embedder", embed } });
    const found = inspectAnswer(input, material).choose(shippedFits.embedded);
    return { said: found?.statement.said, chance: scoreSigns(shippedFits.embedded.certainty, found?.all ?? {}) };
  };
  const [near, far] = [await play(/office is now open/), await play(/Oslo/)];
  expect(near.said).toContain("office is now open");
  expect(near.chance).toBeGreaterThan(far.chance);
});

it("the certainty of an answer rises with what supports it and falls with what is unknown or of another kind", () => {
  const good = Object.fromEntries(
    "own typed near first meaning similar score margin".split(" ").map((sign) => [sign, 1]),
  );
  for (const { certainty: fit } of Object.values(shippedFits).filter((one) => typeof one !== "string")) {
    const certainty = (signs: Record<string, number>) => stateCertainty(scoreSigns(fit, signs));
    expect(certainty({})).toBeLessThan(0.5);
    expect(certainty(good)).toBeGreaterThan(0.55);
    for (const sign of ["unknown", "untyped"]) expect(certainty({ ...good, [sign]: 1 })).toBeLessThan(certainty(good));
  }
});
