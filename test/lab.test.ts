import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCast } from "../src/players/cast.ts";
import { SyntheticSettingsSchema, type SyntheticSettings } from "../src/players/synthetic-player.ts";
import { bootstrapMean, type Scorecard, makeLabCases, runLab, wilson } from "../src/studies/index.ts";
import { createRandom } from "../src/text/random.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { timesOf } from "./support/share.ts";

const cases = makeLabCases(timesOf({ quick: 400, whole: 3_000 }), 4, 11);

async function run(
  arm: "debate" | "single" | "vote" | "in_order",
  settings: Partial<SyntheticSettings>,
  others: Record<string, Partial<SyntheticSettings>> = {},
) {
  const parse = (one: Partial<SyntheticSettings>) => SyntheticSettingsSchema.parse(one);
  const beside = Object.fromEntries(
    Object.entries(others).map(([role, one]) => [role, parse({ ...settings, ...one })]),
  );
  const controls = arm === "debate" ? [] : [arm];
  const { scorecards } = await runLab(parse(settings), cases, { controls, others: beside });
  const own = scorecards.filter((card) => card.arm === arm);
  const accuracy = wilson(own.filter(({ right }) => right).length, own.length);
  if (!accuracy) throw new Error(`no runs of ${arm}`);
  return {
    accuracy,
    calls: own.reduce((sum, { cost }) => sum + cost.spend.calls, 0) / own.length,
    moved: bootstrapMean(own.map(measureMove), { random: createRandom(1), resamples: 1_000 }),
  };
}

/** By how much more speakers are right in the last round than in the first. */
function measureMove({ positions }: Scorecard): number {
  const rounds = [...Map.groupBy(positions, ({ round }) => round).values()];
  const shares = rounds.map((said) => said.filter(({ correct }) => correct).length / said.length);
  return (shares.at(-1) ?? 0) - (shares[0] ?? 0);
}

describe("what is known of debates comes out of the lab", () => {
  it("where speakers take over what a peer said, the mean belief does not move over rounds", async () => {
    const { moved } = await run("debate", { accuracy: 0.6, conformity: 1, follow: "peer" });
    expect(moved.low).toBeLessThanOrEqual(0);
    expect(moved.high).toBeGreaterThanOrEqual(0);
    expect(Math.abs(moved.estimate)).toBeLessThan(0.05);
  });

  it("with an informed critic among them it moves to the right answer", async () => {
    const { moved } = await run(
      "debate",
      { accuracy: 0.6, conformity: 1, follow: "peer" },
      { skeptic: { insight: 0.8 } },
    );
    expect(moved.low).toBeGreaterThan(0.05);
  });

  it("correlated speakers make votes worse, down to a single one's accuracy", async () => {
    const [alone, apart, together] = await Promise.all([
      run("single", { accuracy: 0.65 }),
      run("vote", { accuracy: 0.65 }),
      run("vote", { accuracy: 0.65, correlation: 0.95 }),
    ]);
    expect(apart.accuracy.low).toBeGreaterThan(together.accuracy.high - 0.05);
    expect(apart.accuracy.estimate - together.accuracy.estimate).toBeGreaterThan(0.04);
    expect(Math.abs(together.accuracy.estimate - alone.accuracy.estimate)).toBeLessThan(0.07);
  });

  it("asking in order is about as right as a vote, for fewer calls", async () => {
    const [vote, inOrder] = await Promise.all([run("vote", { accuracy: 0.7 }), run("in_order", { accuracy: 0.7 })]);
    expect(inOrder.calls).toBeLessThan(vote.calls * 0.9);
    expect(inOrder.accuracy.estimate).toBeGreaterThan(vote.accuracy.estimate - 0.03);
  });
});

describe("a cast of synthetic speakers", () => {
  it("is read beside other players, with commas and equal signs of its own", () => {
    const plan = parseCast("synthetic(accuracy=0.8,conformity=0.1),judge=synthetic(accuracy=0.9)", ["a", "judge"]);
    expect(plan.roles.a).toMatchObject({ kind: "synthetic", settings: { accuracy: 0.8, conformity: 0.1 } });
    expect(plan.roles.judge).toMatchObject({ settings: { accuracy: 0.9 } });
  });

  it("debates a question with choices, and is refused where the answers cannot be told beforehand", async () => {
    const cast = ["--cast", "synthetic(accuracy=1)"];
    const asked = await runCli(["ask", "Which?", "--choice", "tea", "--choice", "milk", ...cast]);
    expect(asked.out).toContain("tea");
    const open = await runCli(["ask", "Why?", ...cast]);
    expect(open.err + open.out).toContain("needs a role whose answers are known beforehand");
  });
});

describe("parley study lab", () => {
  it("draws accuracy against cost, as text, JSON and a page", async () => {
    const cwd = newFolder();
    const args = ["study", "lab", "accuracy=0.6", "conformity=1", "--limit", "40"];
    const { out, code } = await runCli([...args, "--out", "lab.html"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("Was the debate worth it?");
    const page = readFileSync(join(cwd, "lab.html"), "utf8");
    expect(page).toContain("Was the debate worth it");
    expect(page).toContain("<svg");
    const rows = (await runCli([...args, "--json"])).out.trim().split("\n");
    expect(rows).toHaveLength(5);
  });

  it.each([
    [["conformty=1"], /conformty.*conformity/],
    [["accuracy=1.5"], /accuracy: /],
  ])("%s is an error that says what to give", async (args, message) => {
    const { code, err } = await runCli(["study", "lab", ...args]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
