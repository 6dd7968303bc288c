import { describe, expect, it } from "vitest";
import { runDebate } from "../../../index.ts";
import { question } from "../pack.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];

describe("the expert", () => {
  it("answers with a sentence and its source", async () => {
    const { result } = await runDebate(question, { question: "Why did Ida Holm sell the mill?", docs });
    expect(result.outcome).toBe("decided");
    expect(result.decision?.sources).toEqual([{ source: "b.txt", quote: docs[1]?.text }]);
  });
  it("answers a numeric question with the number of the right sentence", async () => {
    const { result } = await runDebate(question, {
      question: "When did the mill burn down?",
      answer_type: "number",
      docs,
    });
    expect(result.decision?.canonical).toBe("1901");
  });
  it("has no answer where the documents have none, and says what they never mention", async () => {
    const { result } = await runDebate(question, { question: "Which airline serves Tromsø?", docs });
    expect(result).toMatchObject({ outcome: "undecided", decision: { answer: null } });
    expect(result.reasons.join(" ")).toMatch(/tromsø/);
  });
  it("says so when there are no documents", async () => {
    const { result } = await runDebate(question, { question: "Why?" });
    expect(result.outcome).toBe("undecided");
    expect(result.reasons.join(" ")).toMatch(/No documents were given/);
  });
  it("a sentence that gives the cause wins over one that only repeats the words of a why-question", async () => {
    const texts = [
      { id: "a", text: "The council asked how long the footbridge is closed." },
      { id: "b", text: "The footbridge was closed because of cracks in two hangers." },
    ];
    const { result } = await runDebate(
      question,
      { question: "Why was the footbridge closed?", docs: texts },
      { cast: "expert" },
    );
    expect(result.decision?.answer).toContain("because of cracks");
    expect(result.decision?.confidence).toBeLessThanOrEqual(1);
  });
});

describe("numbers in documents", () => {
  const text =
    "Repairs will cost 4.2 million euros and take nine weeks. At dawn it was -3 degrees. Twenty-five men work there.";
  it.each([
    ["How many weeks will the repairs take?", "9"],
    ["How much will the repairs cost in euros?", "4200000"],
    ["How many degrees was it at dawn?", "-3"],
    ["How many men work there?", "25"],
  ])("%s %s", async (asked, number) => {
    const { result } = await runDebate(
      question,
      { question: asked, answer_type: "number", docs: [{ id: "a", text }] },
      { cast: "expert" },
    );
    expect(result.decision?.answer).toBe(number);
  });
});

it("in a courtroom the advocate against argues the best other answer, or has none", async () => {
  const split = [
    { id: "pro.txt", text: "The council should buy the bridge because tolls would pay for it." },
    { id: "con.txt", text: "The council should not buy the bridge because its bearings are cracked." },
  ];
  const config = { protocol: "courtroom" };
  const { result } = await runDebate(
    question,
    { question: "Should the council buy the bridge?", docs: split },
    { config },
  );
  const [opening] = result.decision?.rounds ?? [];
  expect(opening?.speeches.map((speech) => speech.quotes[0]?.source)).toEqual(["pro.txt", "con.txt"]);
  const alone = await runDebate(
    question,
    { question: "Should the council buy the bridge?", docs: split.slice(0, 1) },
    { config },
  );
  expect(alone.result.decision?.rounds[0]?.speeches[1]).toMatchObject({ speaker: "against", answer: null });
});

describe("a sentence that does not answer what is asked", () => {
  const ask = async (asked: string, text: string): Promise<string | null> => {
    const { result } = await runDebate(question, { question: asked, docs: [{ id: "a.md", text }] }, { cast: "expert" });
    return result.decision?.answer ?? null;
  };
  it.each([
    ["names somebody first", "Who is number 3?", "Ana is number 3.", "Ana is number 3."],
    ["names nobody", "Who replaced the lock?", "The lock of the shed was replaced in May.", null],
    [
      "names somebody",
      "Who replaced the lock?",
      "The lock was replaced by the landlord.",
      "The lock was replaced by the landlord.",
    ],
    ["says the question again", "Why did the pump stop?", "At 06:42 the pump stopped.", null],
    [
      "tells the cause below its heading",
      "Why did the pump stop?",
      "The pump stopped.\n\n## Cause\n\nSand had filled the well.",
      "Sand had filled the well.",
    ],
    [
      "gives other amounts",
      "What is charged for a repair of 500 euros?",
      "For a repair of 200 euros a fee is charged.",
      null,
    ],
    [
      "gives that amount",
      "What is charged for a repair of 200 euros?",
      "For a repair of 200 euros a fee is charged.",
      "For a repair of 200 euros a fee is charged.",
    ],
    [
      "has it under a column",
      "How many seats has the room Birke?",
      "| Room | Seats |\n|---|---|\n| Birke | 12 |\n| Fjord | 4 |",
      "Room: Birke, Seats: 12",
    ],
    [
      "is the general rule beside a special one",
      "How many days may staff in probation stay at home?",
      "Staff may stay at home three days. Ask the lead. The limit is one day in the probation period.",
      "The limit is one day in the probation period.",
    ],
    [
      "is the special rule beside the general one that is asked for",
      "How many days may staff stay at home?",
      "Staff may stay at home three days. The limit is one day in the probation period.",
      "Staff may stay at home three days.",
    ],
    [
      "counts from another day",
      "When is the deposit returned?",
      "The deposit is paid in May. It is returned six months after the end.",
      "It is returned six months after the end.",
    ],
  ])("%s", async (_, asked, text, answer) => expect(await ask(asked, text)).toBe(answer));
});
