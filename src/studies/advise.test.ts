import { describe, expect, it } from "vitest";
import { timesOf } from "../../test/support/share.ts";
import { makeCard, makeStudyManifest } from "../../test/support/scorecards.ts";
import { SyntheticSettingsSchema } from "../players/synthetic-player.ts";
import { reachAdvice } from "./advise.ts";
import { makeLabCases, runLab } from "./lab.ts";
import { summariseStudy } from "./summary/summarise-study.ts";

const pilots = timesOf({ quick: 4, whole: 100 });

type Arm = { name: string; right: boolean[]; calls: number };

function advise(arms: Arm[]) {
  const cards = arms.flatMap(({ name, right, calls }) =>
    right.map((one, i) => {
      const card = makeCard(name, i, one);
      return { ...card, cost: { ...card.cost, spend: { calls, tokens: 0, usd: 0 } } };
    }),
  );
  const kinds = arms.map(({ name }) => [name, name === "debate" ? "reference" : "control"] as const);
  return reachAdvice(
    summariseStudy(makeStudyManifest(Object.fromEntries(kinds), arms[0]?.right.length ?? 0), cards),
    0,
  );
}

/** A pilot of synthetic speakers: the debate and its controls on the same cases. */
async function pilot(settings: Record<string, unknown>, cases: number, seed: number) {
  const kind = SyntheticSettingsSchema.parse(settings);
  const { manifest, scorecards } = await runLab(kind, makeLabCases(cases, 4, seed), { controls: ["single", "vote"] });
  return reachAdvice(summariseStudy(manifest, scorecards), 0);
}

describe("an advice from a pilot of synthetic speakers", () => {
  it("is the debate where critics have insight, in at least 95 of 100 pilots of 150 cases", async () => {
    let right = 0;
    for (let seed = 0; seed < pilots; seed += 1)
      if ((await pilot({ accuracy: 0.55, insight: 0.5 }, 150, seed)).use === "debate") right += 1;
    expect(right / pilots).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ["nobody moves", { accuracy: 0.6 }],
    ["speakers follow each other", { accuracy: 0.6, conformity: 0.7, follow: "peer" }],
  ])("where %s it hardly ever is the debate", async (_name, settings) => {
    let wrong = 0;
    for (let seed = 0; seed < pilots; seed += 1) if ((await pilot(settings, 100, seed)).use === "debate") wrong += 1;
    expect(wrong / pilots).toBeLessThanOrEqual(0.05);
  });

  it("is the cheapest control, or the one that is shown to beat the debate", () => {
    const arm = (name: string, share: number, calls: number): Arm => ({
      name,
      right: Array.from({ length: 100 }, (_, at) => at < share),
      calls,
    });
    expect(advise([arm("debate", 80, 9), arm("vote", 80, 3), arm("single", 80, 1)])).toMatchObject({
      use: "single",
      answer: "not_shown",
    });
    expect(advise([arm("debate", 40, 9), arm("single", 40, 1), arm("vote", 80, 3)])).toMatchObject({
      use: "vote",
      answer: "control",
    });
  });
});
