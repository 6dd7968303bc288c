import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runDebate } from "../../index.ts";
import { canonicalAnswer, choiceKey, isRight, numberText } from "./answer.ts";
import { QuestionConfigSchema } from "./config.ts";
import { question } from "./pack.ts";
import { agreement, tally } from "./tally.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];

describe("canonical answers", () => {
  it.each([
    ["B", "B"],
    ["(b)", "B"],
    ["B. Jupiter", "B"],
    ["jupiter", "B"],
    ["Venus", null],
    ["B or A", null],
  ])("choice %s is %s", (answer, key) =>
    expect(
      choiceKey(answer, [
        { key: "A", text: "Mars" },
        { key: "B", text: "Jupiter" },
      ]),
    ).toBe(key),
  );
  it.each([
    ["$1,234.50", "1234.5"],
    ["42", "42"],
    ["-3", "-3"],
    ["the answer is 7.", "7"],
    ["4.2 million euros", "4200000"],
    ["5kg", "5"],
    ["1 or 2", null],
    ["none", null],
  ])("number %s is %s", (answer, number) => expect(numberText(answer)).toBe(number));
  it("texts compare without case, punctuation and articles", () => {
    expect(canonicalAnswer("The Mill.", {})).toBe(canonicalAnswer("mill", {}));
    expect(isRight("the  MILL", {}, ["a mill"])).toBe(true);
  });
});

describe("the tally", () => {
  it("ranks by voices, then confidence, then who spoke first; silence does not count", () => {
    const voices = [
      { speaker: "x", canonical: "A", answer: "A", confidence: 0.2 },
      { speaker: "y", canonical: "B", answer: "B", confidence: 0.9 },
      { speaker: "z", canonical: null, answer: "", confidence: 1 },
    ];
    expect(tally(voices, "choice").map((camp) => camp.canonical)).toEqual(["B", "A"]);
    expect(agreement(voices, "choice")).toBe(0.5);
  });
  it("counts every voice with an answer exactly once", () => {
    const voice = fc.record({
      speaker: fc.string(),
      canonical: fc.option(fc.constantFrom("A", "B", "C")),
      answer: fc.string(),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(voice), (voices) => {
        const camps = tally(voices, "choice");
        expect(camps.reduce((sum, camp) => sum + camp.speakers.length, 0)).toBe(
          voices.filter((one) => one.canonical !== null).length,
        );
        expect(agreement(voices, "choice")).toBeGreaterThanOrEqual(0);
        expect(agreement(voices, "choice")).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("the config", () => {
  it.each([
    [{ order: ["nobody"] }, /no persona .*nobody/],
    [{ order: ["analyst", "analyst"] }, /speaks twice/],
    [{ protocol: "courtroom", order: ["analyst"] }, /exactly two/],
    [{ protocol: "courtroom", judge: false }, /needs its judge/],
    [{ max_rounds: 0 }, /./],
  ])("%j is an error", (config, message) => {
    expect(QuestionConfigSchema.safeParse(config).error?.message).toMatch(message);
  });
  it("personas of the config speak when no order is given, and merge over the defaults", async () => {
    const personas = {
      miller: { name: "Miller", role: "knows mills", goal: "the truth" },
      analyst: { name: "A", role: "r", goal: "g" },
    };
    const { turns } = await runDebate(
      question,
      { question: "Who built the mill?", docs },
      { config: { personas, protocol: "vote" } },
    );
    expect(turns.map((turn) => turn.key.role)).toEqual(["miller", "analyst"]);
  });
});

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
});

describe("the protocols", () => {
  const ask = (config: object) =>
    runDebate(question, { question: "Why did Ida Holm sell the mill?", docs }, { config });
  it("single asks one speaker", async () => expect((await ask({ protocol: "single" })).turns).toHaveLength(1));
  it("vote asks each speaker once, without others' answers", async () => {
    const { turns, result } = await ask({ protocol: "vote" });
    expect(turns.map((turn) => turn.key.step)).toEqual(["opening", "opening", "opening"]);
    expect(result.decision?.decided_by).toBe("vote");
  });
  it("self-consistency samples one speaker", async () => {
    const { turns } = await ask({ protocol: "self-consistency", samples: 4 });
    expect(turns.map((turn) => turn.key.step)).toEqual(["sample-1", "sample-2", "sample-3", "sample-4"]);
  });
  it("courtroom opens, rebuts and is judged", async () => {
    const { turns, result } = await ask({ protocol: "courtroom" });
    expect(turns.map((turn) => `${turn.key.step}/${turn.key.role}`)).toEqual([
      "opening/for",
      "opening/against",
      "rebuttal/for",
      "rebuttal/against",
      "judge/judge",
    ]);
    expect(result.decision?.decided_by).toBe("judge");
  });
  it("a round table stops when all agree", async () => {
    const { result } = await ask({});
    expect(result.decision).toMatchObject({ stop_reason: "agreement", decided_by: "agreement" });
    expect(result.decision?.rounds).toHaveLength(1);
  });
});

describe("what an answer says", () => {
  it("a text and its denial are two answers", () => {
    const voice = (speaker: string, text: string) => ({
      speaker,
      answer: text,
      canonical: canonicalAnswer(text, {}),
      confidence: 1,
    });
    const voices = [
      voice("x", "The ferry should be kept by the town."),
      voice("y", "The ferry should not be kept by the town."),
    ];
    expect(tally(voices, "text")).toHaveLength(2);
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

describe("nothing a user wrote is silently left out", () => {
  const persona = { name: "P", role: "r", goal: "g" };
  it.each([
    [{ personas: { economist: persona } }, "personas.economist"],
    [{ protocol: "courtroom", personas: { x: persona, y: persona, z: persona } }, "personas.x"],
    [{ protocol: "courtroom", personas: { judge: persona, x: persona } }, "personas.judge"],
  ])("a persona that would not speak is an error: %j", (config, place) => {
    const issues = QuestionConfigSchema.safeParse(config).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toContain(place);
  });
  it("the one speaker of `single` is the config's own persona", async () => {
    const { result } = await runDebate(
      question,
      { question: "Who built the mill?", docs },
      { cast: "expert", config: { protocol: "single", personas: { miller: persona } } },
    );
    expect(result.decision?.rounds[0]?.speeches[0]?.speaker).toBe("miller");
  });
  it.each([[{ choices: ["yes", "no"], answer_type: "number" }, "answer_type"]])(
    "a question that contradicts itself is an error: %j",
    (rest, place) => {
      const issues = question.input.safeParse({ question: "Is it?", ...rest }).error?.issues ?? [];
      expect(issues.map((issue) => issue.path.join("."))).toEqual([place]);
    },
  );
  it("the report of a choice says its text, not only its letter", async () => {
    const finished = await runDebate(
      question,
      { question: "Who built the mill?", choices: ["Olaf Berg", "Ida Holm"], docs },
      { cast: "expert" },
    );
    expect(question.report(finished)[0]).toMatchObject({ kind: "verdict", answer: "B: Ida Holm" });
  });
});

it("a budget that runs out among the openings gives the answers that were there", async () => {
  const { result } = await runDebate(
    question,
    { question: "Why did Ida Holm sell the mill?", docs },
    { budget: { calls: 1 } },
  );
  expect(result).toMatchObject({ outcome: "budget_exhausted", decision: { answer: docs[1]?.text } });
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
