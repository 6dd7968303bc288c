import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { applyJury } from "../../contract/jury.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { certifyPanel, labelBallot } from "../certify.ts";
import { askInOrder, checkJudges, measurePanel, vote } from "./measure-panel.ts";
import { ballotsOfJudgments, ballotsOfVotes, measureJury } from "./jury.ts";
import { sayWorth } from "./panel-sections.ts";
import { JudgmentRowSchema, pickRows, readRows, type VoteRow, VoteRowSchema, votesOfStudy } from "./votes.ts";

const panel = ["a", "b", "c"];
const row = (id: string, gold: string, votes: string): VoteRow => ({
  id,
  gold,
  votes: Object.fromEntries(panel.map((name, i) => [name, votes[i] === "-" ? null : (votes[i] ?? null)])),
});

describe("ways of asking a panel", () => {
  it.each<[string, string | null, string | null, number]>([
    ["AAB", "A", "A", 2],
    ["ABB", "B", "B", 3],
    ["ABC", "A", "A", 3],
    ["-BB", "B", "B", 3],
    ["B-A", "B", "B", 3],
    ["---", null, null, 3],
  ])("%s: the vote is %s; stopping at two %s after %d calls", (votes, voted, stopped, calls) => {
    const { votes: said } = row("1", "A", votes);
    expect(vote(said, panel)).toBe(voted);
    expect(askInOrder(said, panel)).toEqual({ answer: stopped, calls });
  });

  it("a case that is listed twelve times counts once, and one that contradicts itself is refused", () => {
    const copies = Array.from({ length: 12 }, () => row("1", "A", "AAB"));
    expect(pickRows(copies, panel)).toHaveLength(1);
    expect(() => pickRows([...copies, row("1", "B", "AAB")], panel)).toThrow(/contradict each other/);
  });

  it("counts what no combination of the members can pass", () => {
    const rows = ["AAB", "BBB", "CBB", "AAA"].map((votes, i) => row(String(i), "A", votes));
    const found = measurePanel(rows, panel);
    expect(found).toMatchObject({ n: 4, beta: 0.5, ceiling: 0.5, vote: 0.5, unanimous: { share: 0.5, accuracy: 0.5 } });
    expect(found.beta_upper).toBeGreaterThan(0.9);
  });
});

describe("a jury", () => {
  const ballots = (n: number, more = {}) =>
    Array.from({ length: n }, (_, i) => ({
      id: String(i),
      gold: i % 3 === 0 ? "1" : "2",
      judgments: {
        good: [i % 7 === 0 ? "1" : i % 3 === 0 ? "1" : "2"],
        bad: [i % 5 === 0 ? "1" : i % 3 === 0 ? "2" : "1"],
      },
      ...more,
    })).map((one) => JudgmentRowSchema.parse(one));

  it("learns that a member below chance tells something, and beats the majority by it", () => {
    const found = measureJury(ballotsOfJudgments(ballots(90)));
    expect(found.weights.bad).toBeLessThan(0);
    expect(found.learnt.accuracy).toBeGreaterThan(found.majority + 0.2);
  });

  it("is antisymmetric: swapping the answers swaps the verdict and keeps the confidence", () => {
    const jury = { weights: { x: 0.7, y: -0.4 }, none: null };
    const cast = (x: string, y: string) =>
      applyJury(
        jury,
        {
          votes: [
            { member: "x", answer: x },
            { member: "y", answer: y },
          ],
        },
        ["1", "2"],
      );
    expect(cast("1", "2").answer).toBe("1");
    expect(cast("2", "1").answer).toBe("2");
    expect(cast("1", "2").confidence).toBeCloseTo(cast("2", "1").confidence, 12);
  });

  it.each([
    ["labels of a model", ballots(90, { labelled_by: "model" }), /made by "model"/],
    ["labels of a model under its own name", ballots(90, { labelled_by: "gpt-4o" }), /made by "gpt-4o"/],
    ["mixed sources", [...ballots(60), ...ballots(40, { labelled_by: "person" })], /come from 2 sources/],
    ["too few labels", ballots(20), /at least 50 labelled cases, and there are 20: 30 more/],
    [
      "labels that a member made",
      ballots(90).map((one) => ({ ...one, judgments: { ...one.judgments, oracle: [one.gold] } })),
      /"oracle" agrees with every label/,
    ],
  ])("refuses %s", (_, rows, message) => expect(() => ballotsOfJudgments(rows)).toThrow(message));
});

describe("rows as people write them", () => {
  const parse = (votes: unknown, gold: unknown = "A") => VoteRowSchema.parse({ id: 1, gold, votes });

  it.each([
    ["blanks around an answer", parse({ a: " A\n" }), { a: "A" }],
    ["numbers", parse({ a: 4, b: "4" }, 4), { a: "4", b: "4" }],
    ["true and false", parse({ a: true, b: false }, true), { a: "true", b: "false" }],
    ["no answer, and an empty one", parse({ a: null, b: "" }), { a: null, b: "" }],
  ])("%s", (_, { votes }, wanted) => expect(votes).toEqual(wanted));

  it("a judgment may be one winner, a number, or name neither", () => {
    const judgments = { one: "2", numbers: [1, 2], neither: ["tie", null], none: null };
    expect(JudgmentRowSchema.parse({ id: 1, gold: 1, judgments }).judgments).toEqual({
      one: ["2"],
      numbers: ["1", "2"],
      neither: [null, null],
      none: [null],
    });
  });

  it("gold and votes that are written in different ways are an error, not 0%", () => {
    const rows = Array.from({ length: 12 }, (_, i) => row(String(i), "0", "ABC"));
    expect(() => pickRows(rows, panel)).toThrow(/written in different ways: row "0" has gold "0" and a vote for "A"/);
  });

  it("a member that no row has is named", () => {
    expect(() => pickRows([row("1", "A", "AAB")], ["a", "d"])).toThrow(/no row has a vote of "d"/);
    const judged = [JudgmentRowSchema.parse({ id: 1, gold: "1", judgments: { "x/1": ["1", "1"] } })];
    expect(() => checkJudges(judged, ["x"])).toThrow(/no row has a vote of "x"/);
  });

  it("one question under twelve ids counts once", () => {
    const copies = Array.from({ length: 12 }, (_, i) => ({ ...row(String(i), "A", "AAB"), question: "Which?" }));
    expect(pickRows(copies, panel)).toHaveLength(1);
  });
});

it("a panel's first sentence claims a gain only where the exact test shows one", () => {
  const say = (votes: string[]) =>
    sayWorth(
      measurePanel(
        votes.map((one, i) => row(String(i), "A", one)),
        panel,
      ),
    );
  expect(say(["AAB", "BAA"])).toMatch(/cannot be said, since they differ on \d of 2 cases/);
  const close = Array.from({ length: 40 }, (_, i) => (i % 7 === 0 ? "BAA" : i % 7 === 1 ? "ABB" : "AAA"));
  expect(say(close)).toMatch(/not shown to be better or worse/);
});

describe("judges", () => {
  const judge = (id: number, shown: string, swapped: string) =>
    JudgmentRowSchema.parse({ id, gold: "1", judgments: { j: [shown, swapped] } });

  it.each([
    ["fit to judge", 40, (i: number) => (i % 10 === 0 ? ["2", "2"] : ["1", "1"])],
    ["biased but informative", 60, (i: number) => (i % 3 === 0 ? ["1", "2"] : ["1", "1"])],
    ["below chance", 40, (i: number) => (i % 3 === 0 ? ["1", "1"] : ["2", "2"])],
    ["too few cases", 12, () => ["1", "1"]],
  ] as const)("%s", (verdict, n, said) => {
    const rows = Array.from({ length: n }, (_, i) => judge(i, ...(said(i) as [string, string])));
    expect(checkJudges(rows)[0]).toMatchObject({ judge: "j", n, verdict });
  });

  it("sees a preference for the first answer", () => {
    const rows = [judge(1, "1", "2"), judge(1, "1", "1"), judge(2, "1", "2")];
    expect(checkJudges(rows)[0]).toMatchObject({
      prefers_first: 5 / 6,
      same_under_swap: 1 / 3,
      n: 2,
    });
  });
});

it("reads the openings of a study as votes, one answer for all that are right", () => {
  const position = (role: string, answer: string, correct: boolean, round = 1) => ({
    role,
    answer,
    correct,
    round,
    item: null,
  });
  const cards = [
    {
      arm: "debate",
      case_id: "c",
      seed: 0,
      positions: [position("x", "7", true), position("y", "7.0", true), position("y", "8", false, 2)],
    },
  ];
  expect(votesOfStudy(cards as never, "debate")).toEqual([
    { id: "c", gold: "right", votes: { x: "right", y: "right" } },
  ]);
});

/** Whole sets of recorded answers, where they are at hand; the figures are those of their README. */
const data = fileURLToPath(new URL("../../../../shared/data/recorded_models/", import.meta.url));
const five = "gemini-1.5-pro-002,gemini-1.5-flash-002,DeepSeek-Coder-V2,Meta-Llama-3_1-70B-Instruct,Meta-Llama-3_1-70B";

describe.skipIf(!existsSync(data))("recorded answers of real models", () => {
  it.each([
    [
      "mmlu-pro",
      "gemini-1.5-flash-002,DeepSeek-Coder-V2,Meta-Llama-3_1-70B-Instruct",
      undefined,
      5049,
      0.6546,
      0.6906,
      0.186,
      0.489,
      1.52,
      0.6906,
      2.338,
      0.532,
      0.8701,
    ],
    ["mmlu-pro", five, undefined, 5044, 0.7252, 0.7355, 0.1295, 0.466, 1.74, 0.731, 2.444, 0.4, 0.9082],
    [
      "mmlu-pro",
      "Meta-Llama-3_1-70B,Meta-Llama-3-70B,jamba-1.5-large,Qwen1.5-110B,Qwen1.5-72B-Chat",
      undefined,
      5919,
      0.5242,
      0.5849,
      0.2252,
      0.462,
      1.76,
      0.5773,
      2.642,
      0.261,
      0.8789,
    ],
    ["mmlu-pro", five, "law", 536, 0.5466, 0.4981, 0.2873, 0.416, 1.88, 0.4832, 2.601, 0.168, 0.7222],
    [
      "zeroeval-gsm",
      "claude-3-haiku-20240307,Meta-Llama-3.1-8B-Instruct,gemma-2-9b-it,Phi-3.5-mini-instruct,Qwen2-7B-Instruct",
      undefined,
      654,
      0.8869,
      0.9251,
      0.0367,
      0.394,
      1.94,
      0.922,
      2.26,
      0.624,
      0.9828,
    ],
    [
      "zeroeval-crux",
      "gpt-4o-mini-2024-07-18,gemini-1.5-flash-exp-0827,claude-3-5-haiku-20241022,deepseek-v2.5-0908,Qwen2.5-32B-Instruct",
      undefined,
      400,
      0.7475,
      0.8025,
      0.1025,
      0.528,
      1.61,
      0.795,
      2.583,
      0.52,
      0.9808,
    ],
    [
      "korean-click",
      "gpt-5.2(medium)-2025-12-11,claude-sonnet-4-5-2025-12-10,claude-sonnet-4-2025-12-10,gpt-51-medium-2025-11-13,gpt-5.2-2025-12-11",
      undefined,
      892,
      0.907,
      0.8935,
      0.0381,
      0.506,
      1.65,
      0.8722,
      2.177,
      0.729,
      0.9692,
    ],
  ])("%s: %s %s", (set, names, category, n, best, voted, beta, rho, nEff, twoRight, twoCalls, agreed, agreedRight) => {
    const members = names.split(",");
    const found = measurePanel(
      pickRows(readRows(`${data}${set}.votes.jsonl.gz`, VoteRowSchema), members, category),
      members,
    );
    const digits = (value: number | null, places: number) => Number(value?.toFixed(places));
    expect(found.n).toBe(n);
    expect(digits(found.best_single, 4)).toBe(best);
    expect(digits(found.vote, 4)).toBe(voted);
    expect(digits(found.beta, 4)).toBe(beta);
    expect(digits(found.rho, 3)).toBe(rho);
    expect(digits(found.n_eff, 2)).toBe(nEff);
    expect(digits(found.stop_at_two.accuracy, 4)).toBe(twoRight);
    expect(digits(found.stop_at_two.calls, 3)).toBe(twoCalls);
    expect(digits(found.unanimous.share, 3)).toBe(agreed);
    expect(digits(found.unanimous.accuracy, 4)).toBe(agreedRight);
  });

  it("says in words what a panel of five is worth", () => {
    const members = five.split(",");
    const found = measurePanel(pickRows(readRows(`${data}mmlu-pro.votes.jsonl.gz`, VoteRowSchema), members), members);
    expect(sayWorth(found)).toBe(
      "These five are worth 1.7 independent votes. A vote would gain 1.0 points over the best of them and cost five times as much; asking in order gets .731 with 2.4 calls.",
    );
  });

  it.each([
    ["GPT-4", 0.847, 0.922, "fit to judge"],
    ["PaLM2", 0.705, 0.721, "biased but informative"],
    ["Falcon", 0.575, 0.443, "biased but informative"],
    ["LLaMA2", 0.441, 0.735, "below chance"],
    ["ChatGPT", 0.427, 0.648, "below chance"],
  ])("%s as a judge is right in %d, the same under swap in %d: %s", (name, accuracy, same, verdict) => {
    const rows = readRows(`${data}llmbar.judges.jsonl.gz`, JudgmentRowSchema);
    const [found] = checkJudges(rows, [`${name}/Vanilla`]);
    expect(Number(found?.accuracy.toFixed(3))).toBe(accuracy);
    expect(Number(found?.same_under_swap?.toFixed(3))).toBe(same);
    expect(found?.verdict).toBe(verdict);
  });

  it("learnt weights take five judges from .632 to .89, and let most of the cases be acted on", () => {
    const rows = readRows(`${data}llmbar.judges.jsonl.gz`, JudgmentRowSchema);
    const members = ["GPT-4", "PaLM2", "Falcon", "LLaMA2", "ChatGPT"].map((name) => `${name}/Vanilla`);
    const found = measureJury(ballotsOfJudgments(rows, members));
    expect(found.majority).toBeCloseTo(0.632, 3);
    expect(found.learnt.accuracy).toBeCloseTo(0.89, 3);
    expect(found.learnt.coverage["0.05"]).toBeCloseTo(0.648, 2);
  });

  it.each([
    ["zeroeval-crux", 0.963],
    ["zeroeval-math-l5", 0.879],
  ])(
    "%s: weights of fifty members on free answers are found, not overshot",
    (set, accuracy) => {
      const found = measureJury(ballotsOfVotes(readRows(`${data}${set}.votes.jsonl.gz`, VoteRowSchema)));
      expect(found.learnt.accuracy).toBeCloseTo(accuracy, 2);
    },
    60_000,
  );

  it("a jury of a panel's votes knows when none of them is right", () => {
    const members = five.split(",");
    const rows = pickRows(readRows(`${data}mmlu-pro.votes.jsonl.gz`, VoteRowSchema), members).slice(0, 1500);
    const found = measureJury(ballotsOfVotes(rows, members));
    const stated = found.decided.reduce((sum, { confidence }) => sum + confidence, 0) / found.decided.length;
    expect(Math.abs(stated - found.learnt.accuracy)).toBeLessThan(0.03);
  });
});

describe.skipIf(!existsSync(data))("certificates on recorded panels", () => {
  const certifySplits = (set: string, names: string, maxWrong: number, splits: number) => {
    const members = names.split(",");
    const rows = pickRows(readRows(`${data}${set}.votes.jsonl.gz`, VoteRowSchema), members);
    const even = { weights: Object.fromEntries(members.map((name) => [name, 1])), none: null };
    const counts = { given: 0, broken: { agreement: 0, "learnt weights": 0 } };
    for (let seed = 0; seed < splits; seed++) {
      const mixed = shuffle(rows, createRandom(seed));
      const rest = ballotsOfVotes(mixed.slice(mixed.length >> 1), members).ballots;
      const found = certifyPanel(ballotsOfVotes(mixed.slice(0, mixed.length >> 1), members), maxWrong, { seed });
      for (const { way, chosen, jury } of found) {
        const { threshold } = chosen;
        if (threshold === null) continue;
        counts.given++;
        const acted = rest
          .map((one) => labelBallot(one, jury ?? even, jury ? null : members.length))
          .filter(({ confidence }) => confidence !== null && confidence >= threshold);
        if (acted.filter(({ right }) => !right).length > maxWrong * acted.length) counts.broken[way]++;
      }
    }
    return counts;
  };

  it.each([
    [
      "zeroeval-gsm",
      "claude-3-haiku-20240307,Meta-Llama-3.1-8B-Instruct,gemma-2-9b-it,Phi-3.5-mini-instruct,Qwen2-7B-Instruct",
    ],
    [
      "korean-click",
      "gpt-5.2(medium)-2025-12-11,claude-sonnet-4-5-2025-12-10,claude-sonnet-4-2025-12-10,gpt-51-medium-2025-11-13,gpt-5.2-2025-12-11",
    ],
  ])(
    "%s: of 100 splits at most 5 break the promise of 5%%",
    (set, names) => {
      const { given, broken } = certifySplits(set, names, 0.05, 100);
      expect(given).toBeGreaterThan(20);
      expect(broken.agreement).toBeLessThanOrEqual(5);
      expect(broken["learnt weights"]).toBeLessThanOrEqual(5);
    },
    60_000,
  );

  it("mmlu-pro: no way gives a certificate at 5%", () => {
    expect(certifySplits("mmlu-pro", five, 0.05, 5).given).toBe(0);
  }, 60_000);
});
