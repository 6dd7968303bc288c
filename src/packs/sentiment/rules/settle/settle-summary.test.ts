import { describe, expect, it } from "vitest";
import {
  caseOf,
  edit,
  judge,
  patch,
  patchDebate,
  risk,
  sentiment,
  stage1,
  stage2,
  turn,
  unanimous,
} from "../../../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "../../config.ts";
import { decideCase } from "../../decision.ts";
import type { PatchSummary, PatchTurn } from "../../schemas/debate.ts";
import type { Stage1 } from "../../schemas/stage1.ts";
import type { Stage2 } from "../../schemas/stage2.ts";

const text = "The food was great but the service was slow and the price was average";
const evidence = { sentence_evidence_spans: ["food was great"] };
const settle = (
  first: Stage1,
  turns: PatchTurn[],
  summary: PatchSummary,
  { second = null, config = {} }: { second?: Stage2 | null; config?: object } = {},
) => {
  const output = decideCase(
    caseOf(text, first, patchDebate(text, turns, summary), second),
    SentimentConfigSchema.parse(config),
  );
  if (output.debate?.style !== "patch") throw new Error("no patch debate");
  const reasons = Object.fromEntries(output.settlements.map((one) => [one.aspect, one.reason]));
  const tuples = output.debate.summary.settled_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);
  return { tuples, reasons, output };
};
const plain = stage1(text, { food: "positive", service: "negative" });

describe("1 renames and merges", () => {
  const rename = (value: string) => turn("tan", edit("set_aspect_ref", "food", null, { value }));

  it("a rename that the judge's tuples confirm moves the sentiment to the new term", () => {
    const { tuples } = settle(plain, [rename("price")], judge({ price: "positive", service: "negative" }, evidence));
    expect(tuples).toEqual(["service negative", "price positive"]);
  });

  it("a rename that the judge's patch confirms moves it, too", () => {
    const summary = judge({}, { ...evidence, final_patch: [patch("set_aspect_ref", "food", null, "price")] });
    expect(settle(plain, [], summary).tuples).toEqual(["service negative", "price positive"]);
  });

  it("one that the judge does not confirm stays undone", () => {
    expect(settle(plain, [rename("price")], judge({ food: "positive" }, evidence)).tuples).toEqual([
      "food positive",
      "service negative",
    ]);
  });

  it("a new term that is not in the text is refused", () => {
    const { tuples } = settle(plain, [rename("parking")], judge({ service: "negative" }, evidence));
    expect(tuples).toEqual(["food positive", "service negative"]);
  });

  it("duplicates become one", () => {
    const first = stage1(text, { food: "positive", "food was": "positive" });
    const merge = turn("tan", edit("merge_tuples", "food was", null, { value: "food" }));
    expect(settle(first, [merge], judge({ food: "positive" }, evidence)).tuples).toEqual(["food positive"]);
  });
});

describe("2 where patch and tuples contradict each other", () => {
  it("a drop wins", () => {
    const summary = judge({ food: "positive" }, { ...evidence, final_patch: [patch("drop_tuple", "food")] });
    expect(settle(plain, [], summary)).toMatchObject({
      tuples: ["service negative"],
      reasons: { food: "dropped_by_judge" },
    });
  });

  it("else the tuples count", () => {
    const summary = judge(
      { food: "positive" },
      { ...evidence, final_patch: [patch("set_polarity", "food", "negative")] },
    );
    expect(settle(plain, [], summary).reasons.food).toBe("confirmed");
  });

  it("a drop that names one polarity spares a tuple of another", () => {
    const summary = judge({ food: "positive" }, { ...evidence, final_patch: [patch("drop_tuple", "food", "neutral")] });
    expect(settle(plain, [], summary).tuples).toContain("food positive");
  });

  it("a judge with two polarities for one aspect changes nothing", () => {
    const summary = judge(
      {},
      {
        ...evidence,
        final_tuples: (["positive", "negative"] as const).map((polarity) => ({
          aspect_ref: "food",
          aspect_term: "food",
          polarity,
        })),
      },
    );
    expect(settle(plain, [], summary)).toMatchObject({
      tuples: ["food positive", "service negative"],
      reasons: { food: "kept_judge_inconsistent" },
    });
  });
});

it("3 drops are executed, also of the only tuple", () => {
  const first = stage1(text, { food: "positive" });
  const turns = ["epm", "tan", "cj"].map((speaker) => turn(speaker, edit("drop_tuple", "food")));
  const { tuples, output } = settle(
    first,
    turns,
    judge({}, { ...evidence, final_patch: [patch("drop_tuple", "food")] }),
  );
  expect(tuples).toEqual([]);
  expect(output.meta).toMatchObject({ adopt_decision: "adopted", adopt_reason: "debate_action" });
  expect(output.final_result.final_tuples).toEqual([]);
});

describe("4 flips", () => {
  const flip = judge({ food: "negative", service: "negative" }, evidence);

  it("are accepted when the gate applies them", () => {
    expect(settle(plain, unanimous({ food: "negative" }), flip)).toMatchObject({
      tuples: ["food negative", "service negative"],
      reasons: { food: "flipped_by_gate" },
    });
  });

  it("are accepted when a Stage 2 review made the same change on its own", () => {
    const second = stage2({
      sentiment_review: [{ aspect_ref: "food", action: "flip_polarity", revised_polarity: "negative" }],
    });
    expect(settle(plain, [], flip, { second }).reasons.food).toBe("flipped_by_review");
  });

  const contested = [
    turn("epm", edit("confirm_tuple", "food", "positive"), edit("confirm_tuple", "food", "positive")),
    ...unanimous({ food: "negative" }),
  ];
  it.each([
    [
      "l3_conservative",
      stage1(text, { food: "positive" }, { structural_risks: [risk("CONTRAST", 0, 4)] }),
      unanimous({ food: "negative" }),
    ],
    ["low_signal", stage1(text, { food: "positive" }), [turn("epm", edit("set_polarity", "food", "negative"))]],
    [
      "action_ambiguity",
      stage1(text, { food: "positive" }),
      [...contested, turn("tan", edit("confirm_tuple", "food", "positive"), edit("confirm_tuple", "food", "positive"))],
    ],
    [
      "implicit_soft_only",
      stage1(text, { food: sentiment("food", "positive", { is_implicit: true }) }),
      unanimous({ food: "negative" }),
    ],
  ])("%s keeps the Stage 1 polarity", (reason, first, turns) => {
    const { tuples, reasons } = settle(first, turns, judge({ food: "negative" }, evidence));
    expect(tuples).toEqual(["food positive"]);
    expect(reasons.food).toBe(`kept_${reason}`);
  });

  it("max_one_override_per_sample: the debate alone flips at most one aspect", () => {
    const both = { food: "negative", service: "positive" } as const;
    const { reasons } = settle(plain, unanimous(both), judge(both, evidence));
    expect(reasons).toEqual({ food: "flipped_by_gate", service: "kept_max_one_override_per_sample" });
  });

  it("an evidence reason keeps the Stage 1 polarity", () => {
    expect(settle(plain, unanimous({ food: "negative" }), judge({ food: "negative" })).reasons.food).toBe(
      "kept_no_evidence_span",
    );
  });

  it("with the override switched off no flip is accepted", () => {
    const config = { enable_debate_override: false };
    expect(settle(plain, unanimous({ food: "negative" }), flip, { config }).reasons.food).toBe(
      "kept_override_disabled",
    );
  });
});

describe("5 additions", () => {
  const first = stage1(text, { food: "positive", service: null });
  const added = judge({ food: "positive", service: "negative" }, evidence);

  it("are accepted when every speaker's last word is this polarity", () => {
    expect(settle(first, unanimous({ service: "negative" }), added).reasons.service).toBe("added_by_all_speakers");
  });

  it("are refused when one speaker said nothing or something else", () => {
    const [one, two] = unanimous({ service: "negative" }) as [PatchTurn, PatchTurn];
    expect(settle(first, [one, two, turn("cj")], added).reasons.service).toBe("addition_refused");
    expect(settle(first, [one, two, turn("cj", edit("drop_tuple", "service"))], added).reasons.service).toBe(
      "addition_refused",
    );
  });

  it("a speaker that abstained does not count", () => {
    expect(settle(first, unanimous({ service: "negative" }).slice(0, 2), added).reasons.service).toBe(
      "added_by_all_speakers",
    );
  });

  it("it is the last word that counts", () => {
    const turns = unanimous({ service: "negative" });
    turns[0]?.proposed_edits.unshift(edit("set_polarity", "service", "positive"));
    expect(settle(first, turns, added).reasons.service).toBe("added_by_all_speakers");
  });

  it("min_speakers lowers the number", () => {
    const turns = [...unanimous({ service: "negative" }).slice(0, 2), turn("cj")];
    expect(settle(first, turns, added, { config: { settle: { min_speakers: 2 } } }).reasons.service).toBe(
      "added_by_enough_speakers",
    );
  });

  it("are accepted when Stage 1 found no evaluative sentiment in the whole text", () => {
    const silent = stage1(text, { food: null, service: sentiment("service", "neutral") });
    expect(settle(silent, [], judge({ food: "positive" }, evidence)).reasons.food).toBe("added_stage1_found_nothing");
  });

  it("without any speaker nothing is added to a Stage 1 that found something", () => {
    expect(settle(first, [], added).reasons.service).toBe("addition_refused");
  });
});

it("6 Stage 1 tuples that the judge neither mentions nor drops are kept", () => {
  expect(settle(plain, [], judge({}, evidence))).toMatchObject({
    tuples: ["food positive", "service negative"],
    reasons: { food: "kept_judge_silent", service: "kept_judge_silent" },
  });
});

it("a Stage 1 conflict on one aspect is resolved by the judge's word", () => {
  const first = stage1(text, { food: "positive" });
  first.aspect_sentiments.push(sentiment("food", "negative", { confidence: 0.9 }));
  expect(settle(first, [], judge({ food: "positive" }, evidence))).toMatchObject({
    tuples: ["food positive"],
    reasons: { food: "conflict_resolved" },
  });
});

it("a neutral tuple of the judge stands under the explicit policy only where the text says so", () => {
  const first = stage1(text, { food: null, price: null });
  const summary = judge({ food: "neutral", price: "neutral" }, evidence);
  expect(settle(first, [], summary).tuples).toEqual(["price neutral"]);
  const config = { neutral_policy: "mention", settle: { max_additions_when_empty: 2 } };
  expect(settle(first, [], summary, { config }).tuples).toEqual(["food neutral", "price neutral"]);
});
