import { describe, expect, it } from "vitest";
import { agreeingScript, playScript } from "../../../../../test/support/sentiment/play.ts";
import { caseOf, proposal, risk, sentiment, stage1 } from "../../../../../test/support/sentiment/turns.ts";
import type { Stage1 } from "../../schemas/stage1.ts";
import { findDoubts } from "./find-doubts.ts";

const text = "The food was great but the service was slow";
const find = (first: Stage1) => findDoubts(caseOf(text, first), 0.7);

describe("a text is worth a debate where", () => {
  const torn = stage1(text, { food: "positive" });
  const rows: [string, Stage1, string[]][] = [
    ["Stage 1 found nothing", stage1(text, { food: null }), ["nothing_found"]],
    [
      "a structural risk is open",
      stage1(text, { food: "positive" }, { structural_risks: [risk("IRONY", 0, 4)] }),
      ["risk_open"],
    ],
    [
      "a correction is proposed",
      stage1(text, { food: "positive" }, { correction_proposals: [proposal("food", "DROP_ASPECT")] }),
      ["correction_proposed"],
    ],
    [
      "an aspect has two polarities",
      { ...torn, aspect_sentiments: [...torn.aspect_sentiments, sentiment("food", "neutral")] },
      ["two_polarities"],
    ],
    ["a sentiment is unsure", stage1(text, { food: sentiment("food", "positive", { confidence: 0.6 }) }), ["unsure"]],
    ["the text reads the other way", stage1(text, { service: "positive" }), ["readings_disagree"]],
  ];
  it.each(rows)("%s", (_, first, doubts) => expect(find(first)).toEqual(doubts));

  it("and not where Stage 1 is sure and the text bears it out", () => {
    expect(find(stage1(text, { food: "positive", service: "negative" }))).toEqual([]);
  });
});

describe("debate.when: disagreement", () => {
  const sure = { aspect_sentiments: [sentiment("food", "positive"), sentiment("service", "negative")] };

  it("asks Stage 1 alone of a text without a doubt, and Stage 1 stands", async () => {
    const { asked, decision } = await playScript(
      { debate: { when: "disagreement" } },
      agreeingScript({ atsa: [sure] }),
    );
    expect(asked).toEqual(["ate", "atsa", "validator"]);
    expect(decision.final_result.final_tuples).toEqual(decision.final_result.stage1_tuples);
    expect(decision.debate).toBeNull();
  });

  it("debates where there is one", async () => {
    const unsure = { aspect_sentiments: [sentiment("food", "positive", { confidence: 0.5 })] };
    const { asked } = await playScript({ debate: { when: "disagreement" } }, agreeingScript({ atsa: [unsure] }));
    expect(asked).toHaveLength(10);
  });
});
