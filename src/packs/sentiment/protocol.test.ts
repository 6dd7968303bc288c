import { describe, expect, it } from "vitest";
import { agreeingScript, playScript } from "../../../test/support/sentiment/play.ts";
import { proposal, risk, sentiment } from "../../../test/support/sentiment/turns.ts";

const tuples = (played: Awaited<ReturnType<typeof playScript>>) =>
  played.decision.final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);

it("runs Stage 1, the debate in order, the judge and the three reviews, and adopts what all agree on", async () => {
  const played = await playScript();
  expect(played.asked).toEqual([
    "ate",
    "atsa",
    "validator",
    "epm",
    "tan",
    "cj",
    "judge",
    "ate_review",
    "atsa_review",
    "validator_review",
  ]);
  expect(tuples(played)).toEqual(["food positive", "service negative"]);
  expect(played.result).toMatchObject({ outcome: "decided", reasons: ["adopted: debate_action"] });
});

describe("each switch really changes what runs", () => {
  it("enable_debate off: no speaker, no judge, no review context, no override", async () => {
    const { asked, decision } = await playScript({ enable_debate: false });
    expect(asked).toEqual(["ate", "atsa", "validator", "ate_review", "atsa_review", "validator_review"]);
    expect(decision).toMatchObject({ debate: null, review_context: null, override_gate: [] });
  });

  it("debate.enabled under pipeline is the same switch", async () => {
    expect((await playScript({ pipeline: { debate: { enabled: false } } })).asked).not.toContain("judge");
  });

  it("enable_debate_override off: the gate is silent, and no flip of the debate stands", async () => {
    const script = agreeingScript({
      atsa: [
        { aspect_sentiments: [sentiment("food", "positive"), sentiment("service", "positive", { confidence: 0.5 })] },
      ],
    });
    expect(tuples(await playScript({}, script))).toEqual(["food positive", "service negative"]);
    const again = agreeingScript({
      atsa: [
        { aspect_sentiments: [sentiment("food", "positive"), sentiment("service", "positive", { confidence: 0.5 })] },
      ],
    });
    const off = await playScript({ enable_debate_override: false }, again);
    expect(off.decision.override_gate).toEqual([]);
    expect(tuples(off)).toEqual(["food positive", "service positive"]);
  });

  it("enable_stage2 off: no reviews are asked and no validator proposal is applied", async () => {
    const validator = {
      structural_risks: [risk("NEGATION", 0, 8)],
      consistency_score: 0.5,
      correction_proposals: [proposal("food", "FLIP_POLARITY")],
    };
    const on = await playScript({ enable_debate: false }, agreeingScript({ validator: [validator] }));
    const off = await playScript(
      { enable_debate: false, enable_stage2: false },
      agreeingScript({ validator: [validator] }),
    );
    expect(on.decision.correction_applied_log).toHaveLength(1);
    expect(off.asked).toEqual(["ate", "atsa", "validator"]);
    expect(off.decision.correction_applied_log).toEqual([]);
    expect(off.decision.analysis_flags.stage2_executed).toBe(false);
  });

  it("enable_validator off: it is asked neither in Stage 1 nor in Stage 2, and there are no risks", async () => {
    const { asked, decision } = await playScript({ enable_validator: false });
    expect(asked.filter((role) => role.startsWith("validator"))).toEqual([]);
    expect(decision.stage1_validator.structural_risk_count).toBe(0);
  });

  it("enable_moderator off: the label is the aggregate of the final list", async () => {
    const { decision } = await playScript({ enable_moderator: false });
    expect(decision.moderator).toBeNull();
    expect(decision.final_result).toMatchObject({ label: "mixed", confidence: 0.8 });
  });
});

describe("control arms", () => {
  it("single is Stage 1 alone", async () => {
    const played = await playScript({ protocol: "single" });
    expect(played.asked).toEqual(["ate", "atsa"]);
    expect(tuples(played)).toEqual(["food positive"]);
  });

  it("vote: openings that have not seen each other, then a majority", async () => {
    const script = agreeingScript({ cj: [{ agent: null, proposed_edits: [] }] });
    const played = await playScript({ protocol: "vote" }, script);
    expect(played.asked).toEqual(["ate", "atsa", "validator", "epm", "tan", "cj"]);
    expect(tuples(played)).toEqual(["food positive", "service negative"]);
    expect(played.result.notes).toContainEqual(expect.objectContaining({ type: "vote" }));
  });

  it("self_consistency: several readings, and what most of them say", async () => {
    const ate = { aspects: [] };
    const reading = (...list: object[]) => ({ aspect_sentiments: list });
    const [food, service] = [sentiment("", "positive"), sentiment("", "negative")];
    const script = agreeingScript({
      ate: [ate, ate, ate],
      atsa: [reading(food), reading(food, service), reading(service, food)],
    });
    const played = await playScript({ protocol: "self_consistency", samples: 3 }, script);
    expect(played.asked).toHaveLength(6);
    expect(tuples(played)).toEqual([" negative", " positive"]);
  });
});

describe("quorum: all of Stage 1 and the judge", () => {
  it.each([
    ["ate", ["ate"]],
    ["atsa", ["ate", "atsa"]],
  ])("without %s nothing further is asked and the outcome is undecided", async (role, asked) => {
    const played = await playScript({}, agreeingScript({ [role]: [3, 4] }));
    expect(played.result).toMatchObject({ outcome: "undecided", reasons: [`${role} gave no usable reply`] });
    expect(played.asked).toEqual(asked);
    expect(tuples(played)).toEqual([]);
  });

  it.each(["validator", "judge"])("without the %s the outcome is undecided", async (role) => {
    const played = await playScript({}, agreeingScript({ [role]: [3, 4] }));
    expect(played.result).toMatchObject({ outcome: "undecided", reasons: [`${role} gave no usable reply`] });
  });

  it("without a judge the debate changes nothing", async () => {
    expect(tuples(await playScript({}, agreeingScript({ judge: [3, 4] })))).toEqual(["food positive"]);
  });
});

it("a budget that runs out returns the decision that stands", async () => {
  const played = await playScript({}, agreeingScript(), { calls: 8 });
  expect(played.result.outcome).toBe("budget_exhausted");
  expect(tuples(played)).toEqual(["food positive", "service negative"]);
});
