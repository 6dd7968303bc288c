import { describe, expect, it } from "vitest";
import { timesOf } from "../../test/support/share.ts";
import { SyntheticSettingsSchema } from "../players/index.ts";
import { createRandom } from "../text/random.ts";
import { labArms } from "./lab.ts";
import { makeLabCases } from "./lab.ts";
import { runLabPoint } from "./lab.ts";
import { countToSettle, measureEvidence } from "./advise.ts";
import { type PilotArm, reachAdvice } from "./advise.ts";

const pilots = timesOf({ quick: 6, whole: 100 });

/** A pilot of synthetic speakers: the debate and its controls on the same cases. */
async function pilot(settings: Record<string, unknown>, cases: number, seed: number): Promise<PilotArm[]> {
  const kind = SyntheticSettingsSchema.parse(settings);
  const questions = makeLabCases(cases, 4, seed);
  const wanted = labArms.filter(({ name }) => ["single", "vote", "debate"].includes(name));
  return Promise.all(
    wanted.map(async (arm) => {
      const { right, calls, control } = await runLabPoint(arm, kind, questions);
      return { name: arm.name, control, right, cost: { calls, tokens: 0, usd: 0 } };
    }),
  );
}

describe("the evidence of wins against losses", () => {
  it("grows with wins, shrinks with losses, and is 1 before the first case", () => {
    expect(measureEvidence(0, 0)).toBeCloseTo(1, 10);
    expect(measureEvidence(10, 0)).toBeGreaterThan(20);
    expect(measureEvidence(0, 10)).toBeLessThan(0.2);
  });

  it("looked at after every case it exceeds 20 under an even chance in at most one of twenty sequences", () => {
    let alarms = 0;
    const sequences = 2_000;
    for (let seed = 0; seed < sequences; seed += 1) {
      const random = createRandom(seed * 7_919);
      let wins = 0;
      for (let cases = 1; cases <= 200; cases += 1) {
        if (random() < 0.5) wins += 1;
        if (measureEvidence(wins, cases - wins) >= 20) {
          alarms += 1;
          break;
        }
      }
    }
    expect(alarms / sequences).toBeLessThanOrEqual(0.05);
  });

  it("the cases to settle a difference are those at which it would be shown", () => {
    const needed = countToSettle(6, 1, 30, 20);
    expect(needed).toBeGreaterThan(30);
    expect(measureEvidence((6 * (needed ?? 0)) / 30, (needed ?? 0) / 30)).toBeGreaterThanOrEqual(20);
    expect(countToSettle(1, 3, 30, 20)).toBeNull();
  });
});

describe("an advice from a pilot of synthetic speakers", () => {
  it("is the debate where critics have insight, in at least 95 of 100 pilots of 150 cases", async () => {
    let right = 0;
    for (let seed = 0; seed < pilots; seed += 1)
      if (reachAdvice(await pilot({ accuracy: 0.55, insight: 0.5 }, 150, seed)).use === "debate") right += 1;
    expect(right / pilots).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ["nobody moves", { accuracy: 0.6 }],
    ["speakers follow each other", { accuracy: 0.6, conformity: 0.7, follow: "peer" }],
  ])("where %s it hardly ever is the debate", async (_name, settings) => {
    let wrong = 0;
    for (let seed = 0; seed < pilots; seed += 1)
      if (reachAdvice(await pilot(settings, 100, seed)).use === "debate") wrong += 1;
    expect(wrong / pilots).toBeLessThanOrEqual(0.05);
  });

  it("is the cheapest control that nothing was shown to beat", () => {
    const arm = (name: string, control: boolean, share: number, calls: number): PilotArm => ({
      name,
      control,
      right: Array.from({ length: 100 }, (_, at) => at < share),
      cost: { calls, tokens: 0, usd: 0 },
    });
    const level = [arm("debate", false, 80, 9), arm("single", true, 80, 1), arm("vote", true, 80, 3)];
    expect(reachAdvice(level)).toMatchObject({ use: "single", answer: "not_shown" });
    const split = [arm("debate", false, 80, 9), arm("single", true, 50, 1), arm("vote", true, 80, 3)];
    expect(reachAdvice(split)).toMatchObject({ use: "vote", answer: "not_shown" });
    const lost = [arm("debate", false, 40, 9), arm("single", true, 80, 1)];
    expect(reachAdvice(lost)).toMatchObject({ use: "single", answer: "control" });
  });
});
