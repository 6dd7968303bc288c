import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DebateResult } from "../contract/result.ts";
import { noUsage } from "../contract/budget.ts";
import { question } from "../packs/question/index.ts";
import { makeCard, makeStudyManifest } from "../../test/support/scorecards.ts";
import { buildAdviceSections, reachAdvice } from "./advise.ts";
import { chooseThreshold } from "./certify.ts";
import { DatasetSchema, loadDataset } from "./datasets/load-dataset.ts";
import type { Scorecard } from "./results/results.ts";
import { scoreRun } from "./run/jobs.ts";
import { testPaired } from "./statistics/statistics.ts";
import { buildStudySections } from "./report/study-sections.ts";
import { summariseStudy } from "./summary/summarise-study.ts";

/** Attempts to make a study claim more than its data; each of them once succeeded. */

const card = (arm: string, i: number, right: boolean, failure: Scorecard["failure"] = null): Scorecard => {
  const outcomes = { failed: "failed", "out of budget": "budget_exhausted", unreadable: "undecided" } as const;
  if (failure === null) return makeCard(arm, i, right);
  return makeCard(arm, i, right, { failure, outcome: outcomes[failure], primary: null, right: null });
};

const both = { debate: "reference", single: "control" } as const;
const count = (n: number) => Array.from({ length: n }, (_, i) => i);
const verdictOf = (cards: Scorecard[], cases: number, arms: Record<string, "reference" | "control"> = both) =>
  summariseStudy(makeStudyManifest(arms, cases), cards).verdict;

describe("a verdict never says more than the exact test", () => {
  it.each([1, 2, 3, 5])("with %d cases, all won, there are too few", (n) => {
    const cards = count(n).flatMap((i) => [card("debate", i, true), card("single", i, false)]);
    const verdict = verdictOf(cards, n);
    expect(verdict.answer).toBe("not_shown");
    expect(verdict.headline).toMatch(/on too few cases to tell/);
  });

  it("six won and none lost is the least that can be shown", () => {
    const cards = count(6).flatMap((i) => [card("debate", i, true), card("single", i, false)]);
    expect(verdictOf(cards, 6).answer).toBe("yes");
  });

  it("of several comparisons the sentence gives the corrected p-value, the one the verdict rests on", () => {
    const arms = Object.fromEntries([["debate", "reference"], ...count(4).map((k) => [`c${k}`, "control"])]);
    const cards = count(40).flatMap((i) => [
      card("debate", i, i < 30),
      ...count(4).map((k) => card(`c${k}`, i, i >= 6 && i < 30)),
    ]);
    const { answer, sentences } = verdictOf(cards, 40, arms);
    expect(answer).toBe("not_shown");
    expect(sentences[0]).toMatch(/^Against c0, c1, c2 and c3: .*exact p 0\.125, corrected for 4 arms/);
  });

  it("scores of fewer than six cases have no narrow interval, however alike they are", () => {
    const cards = count(5).flatMap((i) =>
      ["debate", "single"].map((arm) => makeCard(arm, i, false, { primary: arm === "debate" ? 0.7 : 0.5 })),
    );
    const [arm] = summariseStudy(makeStudyManifest(both, 5), cards).arms;
    expect(arm?.primary).toMatchObject({ estimate: 0.7, low: 0, high: 1 });
  });

  it("there is one p-value, and it is the exact one", () => {
    const cards = count(40).flatMap((i) => [card("debate", i, i < 30), card("single", i, i >= 5 && i < 30 && i !== 7)]);
    const summary = summariseStudy(makeStudyManifest(both, 40), cards);
    const [comparison] = summary.comparisons;
    expect(comparison).toMatchObject({ wins: 6, losses: 0, exact: true });
    expect(comparison?.p).toBe(comparison?.holm);
    expect(testPaired([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]).p).toBeCloseTo(0.0625, 12);
    expect(JSON.stringify(buildStudySections(summary, cards))).not.toContain("McNemar p");
  });
});

describe("failures and missing runs", () => {
  it.each(["failed", "unreadable", "out of budget"] as const)(
    "a control of which half is %s does not make the debate better",
    (how) => {
      const cards = count(40).flatMap((i) => [
        card("debate", i, true),
        card("single", i, i % 4 < 3, i % 2 ? how : null),
      ]);
      const verdict = verdictOf(cards, 40);
      expect(verdict.answer).not.toBe("yes");
      expect(verdict.sentences.join(" ")).toContain(`single: of 40 runs 20 ${how}`);
    },
  );

  it("when failures could turn it, nothing can be said", () => {
    const cards = count(40).flatMap((i) => [
      card("debate", i, true),
      card("single", i, false, i % 2 ? "failed" : null),
    ]);
    expect(verdictOf(cards, 40)).toMatchObject({
      answer: "cannot_say",
      headline: expect.stringContaining("could reverse"),
    });
  });

  it("a control that never ran is not one of every control that ran", () => {
    const arms = { ...both, vote: "control" } as const;
    const cards = count(20).flatMap((i) => [card("debate", i, true), card("single", i, false)]);
    const verdict = verdictOf(cards, 20, arms);
    expect(verdict.answer).toBe("cannot_say");
    expect(verdict.sentences.join(" ")).toMatch(/vote finished no case.*20 runs are missing of 60/);
  });

  it("61 of 80 runs missing leave nothing to say", () => {
    const cards = [...count(10).map((i) => card("debate", i, true)), ...count(9).map((i) => card("single", i, false))];
    const verdict = verdictOf(cards, 40);
    expect(verdict.answer).toBe("cannot_say");
    expect(verdict.sentences.join(" ")).toContain("61 runs are missing of 80");
  });

  it("a control that never decided is no control", () => {
    const silent = count(40).map((i) => makeCard("single", i, false, { outcome: "undecided" }));
    const verdict = verdictOf([...count(40).map((i) => card("debate", i, true)), ...silent], 40);
    expect(verdict.answer).toBe("cannot_say");
  });

  it("what a lead owes to undecided cases of the other arm is said", () => {
    const cards = count(40).flatMap((i) => [
      card("debate", i, true),
      makeCard("single", i, i >= 20, { outcome: i < 20 ? "undecided" : "decided" }),
    ]);
    expect(verdictOf(cards, 40).sentences.join(" ")).toContain("where both decided, better on 0, worse on 0");
  });

  it("an arm that failed on every case ended none", () => {
    const cards = count(8).flatMap((i) => [card("debate", i, true), card("single", i, false, "unreadable")]);
    expect(verdictOf(cards, 8)).toMatchObject({ answer: "cannot_say" });
  });
});

describe("what the speakers are worth", () => {
  const said = (arm: string, i: number, answers: string, right: boolean, outcome: Scorecard["outcome"] = "decided") =>
    makeCard(arm, i, right, {
      outcome,
      primary: Number(right),
      positions: answers.split("").map((answer, at) => ({
        round: 1,
        role: `s${at}`,
        item: null,
        answer,
        correct: answer === "A",
      })),
    });

  it("an arm that stops asking is not measured on the few cases on which it asked everybody", () => {
    const cards = count(20).map((i) => said("debate", i, i === 0 ? "BCA" : "AA", i > 0));
    const [arm] = summariseStudy(makeStudyManifest(both, 20), cards).arms;
    expect(arm?.panel).toBeNull();
    const full = count(20).map((i) => said("single", i, i === 0 ? "BCA" : "AAB", i > 0));
    const { arms } = summariseStudy(makeStudyManifest(both, 20), [...cards, ...full]);
    expect(arms.map(({ panel }) => panel && [panel.n, panel.beta])).toEqual([null, [20, 0]]);
  });

  it("a vote that ties is named as undecided", () => {
    const cards = count(20).flatMap((i) => [
      said("debate", i, "AAB", true),
      said("single", i, i % 2 ? "AAB" : "BCA", i % 2 === 1, i % 2 ? "decided" : "undecided"),
    ]);
    const { verdict } = summariseStudy(makeStudyManifest(both, 20), cards);
    expect(verdict.sentences).toContain("Ended without a decision, which scores 0: single 10 of 20.");
  });
});

describe("what a run scores", () => {
  const decision = {
    answer: "Mars",
    canonical: "A",
    short_answer: null,
    confidence: 0.9,
    vote_after_openings: "Mars",
    rounds: [],
  };
  const result = (outcome: DebateResult["outcome"], abstained = 0): DebateResult => ({
    version: 1,
    outcome,
    reasons: [],
    decision,
    quorum: { asked: 3, answered: 3 - abstained, repaired: 0, mended: 0, abstained },
    usage: noUsage,
    spend: { calls: 1, tokens: 1, usd: 0, refused: [] },
    promptTokens: { total: 1, prefix: 0 },
    notes: [],
  });
  const unread = {
    status: "abstained",
    attempts: [],
    problems: [{ code: "not_json", message: "", severity: "reject" }],
  } as never;
  const score = (how: DebateResult | null) =>
    scoreRun(
      question,
      {
        key: { arm: "debate", case_id: "1", seed: 0 },
        arm: { redecide: null } as never,
        case: { id: "1", input: { question: "?" }, gold: { answer: "Mars", aliases: [] } },
        config: {},
        cast: "expert",
        samples: null,
      },
      { runId: "r", result: how, turns: how?.quorum.abstained ? [unread] : [] },
    );

  it.each([
    ["a decision", result("decided"), 1, null],
    ["a standing answer of a debate that did not decide", result("undecided"), 0, null],
    ["a standing answer of a debate out of budget", result("budget_exhausted"), null, "out of budget"],
    ["a debate whose judge could not be read", result("undecided", 1), null, "unreadable"],
    ["a debate that broke", result("failed"), null, "failed"],
    ["nothing at all", null, null, "failed"],
  ])("%s", (_, how, primary, failure) => expect(score(how)).toMatchObject({ primary, failure }));
});

describe("gold and copies", () => {
  const load = (rows: unknown[], pack = question as never) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-truth-"));
    writeFileSync(join(folder, "d.jsonl"), rows.map((one) => JSON.stringify(one)).join("\n"));
    return loadDataset(DatasetSchema.parse({ path: "d.jsonl" }), pack, folder);
  };
  const input = { question: "Which planet is red?", choices: ["Venus", "Mars"] };

  it.each([["Mars"], ["B"], [1], ["mars."]])("gold %s names the choice", async (answer) => {
    const { cases } = await load([{ id: "1", input, gold: { answer } }]);
    const [one] = cases;
    const right = question.measure?.isCorrect;
    expect(right?.("B", one?.gold)).toBe(true);
    expect(right?.("Venus", one?.gold)).toBe(false);
    expect(right?.("?", one?.gold)).toBe(false);
  });

  it("gold that no answer could match is an error before anything is spent", async () => {
    await expect(load([{ id: "1", input, gold: { answer: "Pluto" } }])).rejects.toThrow(
      /"Pluto" is none of the choices/,
    );
  });

  it('"?" is no answer, also where the first choice is A', () => {
    const gold = { answer: "A", aliases: [], choices: ["Venus", "Mars"] };
    expect(question.measure?.isCorrect?.("?", gold as never)).toBe(false);
    expect(question.measure?.isCorrect?.("a", gold as never)).toBe(true);
  });

  it("a question copied twelve times counts once, and sixty copies make no certificate", async () => {
    const copies = count(60).map((i) => ({
      id: `q${i}`,
      input: { ...input, id: `q${i}`, question: i % 2 ? "Which planet  is red?" : input.question },
      gold: { answer: "Mars" },
    }));
    const { cases, notes } = await load(copies);
    expect(cases).toHaveLength(1);
    expect(notes.join(" ")).toContain("59 copies of other cases were left out");
    expect(
      chooseThreshold(
        cases.map(() => ({ confidence: 1, right: true })),
        0.05,
      ).threshold,
    ).toBeNull();
  });

  it("copies that disagree about what is right are refused", async () => {
    const rows = ["Mars", "Venus"].map((answer, i) => ({ id: String(i), input, gold: { answer } }));
    await expect(load(rows)).rejects.toThrow(/same case with different gold/);
  });
});

it("what is unknown is called unknown, not zero", () => {
  const cards = count(4).flatMap((i) =>
    ["debate", "single"].map((arm) => ({
      ...card(arm, i, true),
      cost: { usage: noUsage, spend: { calls: 1, tokens: 10, usd: null }, calls_saved: 0 },
    })),
  );
  const pilot = summariseStudy(makeStudyManifest(both, 4), cards);
  const text = JSON.stringify(buildAdviceSections(reachAdvice(pilot, 100), pilot, 100));
  expect(text).toContain("unknown");
  expect(text).not.toMatch(/0\.0% or more|0\.00|\$0"/);
});

it("cases that were written to try the rules show nothing, however many are won", () => {
  const manifest = makeStudyManifest(both, 40);
  const cards = count(40).flatMap((i) => [card("debate", i, true), card("single", i, false)]);
  const { verdict } = summariseStudy({ ...manifest, dataset: { ...manifest.dataset, made_up: true } }, cards);
  expect(verdict).toMatchObject({ answer: "cannot_say", headline: expect.stringContaining("test of the plumbing") });
});

it("programs that play show nothing about models, however many cases they win", () => {
  const manifest = { ...makeStudyManifest(both, 40), models: ["expert"] };
  const usage = { ...noUsage, calls: 1 };
  const cards = count(40).flatMap((i) =>
    ["debate", "single"].map((arm) => {
      const one = card(arm, i, arm === "debate");
      return { ...one, cost: { ...one.cost, usage } };
    }),
  );
  const { verdict } = summariseStudy(manifest, cards);
  expect(verdict).toMatchObject({ answer: "cannot_say", headline: expect.stringContaining("only programs played") });
});
