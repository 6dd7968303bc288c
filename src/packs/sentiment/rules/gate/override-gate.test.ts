import { describe, expect, it } from "vitest";
import { context, reasonOf, run, votes } from "../../../../../test/support/sentiment/gate.ts";
import { hint, risk, sentiment } from "../../../../../test/support/sentiment/turns.ts";
import { profiles } from "../../config/profiles.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { GateInput } from "./override-gate.ts";
import { findEvidenceReason, countOverrides, findMainReason } from "./override-stats.ts";

const counted = (over: Partial<GateInput>) => {
  const { stats, conflicts } = countOverrides(run(over).records);
  return Object.entries({ ...stats, ...conflicts })
    .filter(([, count]) => count > 0)
    .map(([name]) => name);
};

describe("gate steps", () => {
  const two = context({ food: votes("positive", 0.8, 0.8), service: votes("positive", 0.8, 0.8) });
  const implicit = [sentiment("food", "negative", { is_implicit: true })];
  const rows: [string, Partial<GateInput>, string, string[]][] = [
    [
      "1 an aspect was already overridden",
      { review_context: two },
      "max_one_override_per_sample",
      ["applied", "skipped_max_one_override_per_sample"],
    ],
    [
      "2 no positive or negative hint",
      { review_context: context({ food: [hint("neutral"), hint(null, 0.8, { removal: true })] }) },
      "neutral_only",
      ["skipped_neutral_only", "skipped_low_signal"],
    ],
    [
      "3 no evidence span",
      { review_context: context({ food: votes("positive", 2) }, { sentence_evidence_spans: [] }) },
      "no_evidence_span",
      ["skipped_no_evidence_span"],
    ],
    [
      "4 span not in the text",
      {
        review_context: context(
          { food: votes("positive", 2) },
          { aspect_evidence: { food: "tasty" }, sentence_evidence_spans: [] },
        ),
      },
      "evidence_span_not_in_text",
      ["skipped_evidence_span_not_in_text"],
    ],
    [
      "5 span shorter than 2 characters",
      { review_context: context({ food: votes("positive", 2) }, { aspect_evidence: { food: "T" } }) },
      "evidence_span_missing_trigger",
      ["skipped_evidence_span_missing_trigger"],
    ],
    [
      "6 total < min_total",
      { review_context: context({ food: votes("positive", 0.8, 0.5) }) },
      "low_signal",
      ["skipped_low_signal"],
    ],
    [
      "7 margin < min_margin",
      { review_context: context({ food: [...votes("positive", 1.5), ...votes("negative", 1)] }) },
      "action_ambiguity",
      ["skipped_conflict", "action_ambiguity"],
    ],
    [
      "8 an L3 risk in Stage 1",
      { risks: [risk("CONTRAST", 0, 4)] },
      "l3_conservative",
      ["skipped_conflict", "L3_conservative"],
    ],
    [
      "9 every matching sentiment is implicit",
      { sentiments: implicit },
      "implicit_soft_only",
      ["skipped_conflict", "implicit_soft_only"],
    ],
    [
      "9b an injected memory advises against the target",
      { memoryAdvisesAgainst: (aspect, polarity) => aspect === "food" && polarity === "positive" },
      "contradictory_memory",
      ["skipped_conflict", "contradictory_memory"],
    ],
    [
      "9c the edits behind the target state confidences below 0.5",
      {
        review_context: context({
          food: [hint("positive", 0.8, { confidence: 0.3 }), hint("positive", 0.8, { confidence: 0.6 })],
        }),
      },
      "low_confidence",
      ["skipped_conflict", "low_confidence"],
    ],
    [
      "10 an addition that settling refuses",
      { sentiments: [], acceptsAddition: () => false },
      "low_signal",
      ["skipped_low_signal"],
    ],
    [
      "10 an addition outside the text",
      { sentiments: [], review_context: context({ parking: votes("positive", 2) }) },
      "low_signal",
      ["skipped_low_signal"],
    ],
    [
      "11 confident and of the same polarity",
      { sentiments: [sentiment("food", "positive", { confidence: 0.7 })] },
      "already_confident",
      ["skipped_already_confident"],
    ],
  ];
  it.each(rows)("%s", (_name, over, reason, counters) => {
    expect(reasonOf(over)).toBe(reason);
    expect(counted(over).sort()).toEqual(counters.sort());
  });

  it("10 no matching sentiment: APPLY debate_override_add with confidence 0.7", () => {
    const { records, sentiments, applied } = run({ sentiments: [sentiment("food", null)] });
    expect(records).toMatchObject([{ decision: "APPLY", override_action: "debate_override_add", skip_reason: null }]);
    expect(sentiments.at(-1)).toMatchObject({ aspect_ref: "food", polarity: "positive", confidence: 0.7 });
    expect(applied).toEqual({ aspect: "food", polarity: "positive" });
  });

  it("12 otherwise: APPLY debate_override_flip with max(old, 0.7)", () => {
    const { sentiments, corrections } = run({ sentiments: [sentiment("food", "negative", { confidence: 0.95 })] });
    expect(sentiments).toMatchObject([{ polarity: "positive", confidence: 0.95 }]);
    expect(corrections).toMatchObject([
      {
        proposal_type: "DEBATE_OVERRIDE",
        reason: "debate_override_flip",
        applied: true,
        resulting_polarity: "positive",
      },
    ]);
  });

  it("12 the same polarity below min_target_conf is raised", () => {
    const { sentiments } = run({ sentiments: [sentiment("food", "positive", { confidence: 0.4 })] });
    expect(sentiments).toMatchObject([{ polarity: "positive", confidence: 0.7 }]);
  });
});

it("the one override goes to the best supported change, not to the first aspect or to a confirmation", () => {
  const { records } = run({
    review_context: context({ food: votes("positive", 2), service: votes("positive", 3), slow: votes("positive", 4) }),
    sentiments: [
      sentiment("food", "negative"),
      sentiment("service", "negative"),
      sentiment("slow", "positive", { confidence: 0.2 }),
    ],
  });
  expect(records.map((record) => [record.aspect, record.skip_reason])).toEqual([
    ["food", "max_one_override_per_sample"],
    ["service", null],
    ["slow", "max_one_override_per_sample"],
  ]);
});

it.each(["t0", "t1", "t2"] as const)("an override is no surer in an eager profile (%s)", (profile) => {
  const { sentiments } = run({
    thresholds: profiles[profile],
    sentiments: [sentiment("food", "negative", { confidence: 0.5 })],
  });
  expect(sentiments).toMatchObject([{ polarity: "positive", confidence: 0.7 }]);
});

it.each(["NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"])(
  "%s is an L3 risk",
  (type) => expect(reasonOf({ risks: [risk(type, 0, 4)] })).toBe("l3_conservative"),
);

it.each(["EVIDENCE_GAP", "SPAN_MISMATCH", "MISSING_SECOND_ASPECT"])("%s is not an L3 risk", (type) =>
  expect(reasonOf({ risks: [risk(type, 0, 4)] })).toBeNull(),
);

it("t2 is not conservative about L3 risks, and the record still shows them", () => {
  const { records } = run({ risks: [risk("IRONY", 0, 4)], thresholds: profiles.t2 });
  expect(records).toMatchObject([{ decision: "APPLY", l3_flag: true, l3_types: ["IRONY"] }]);
});

it("one explicit match among implicit ones is enough to go on", () => {
  const sentiments = [
    sentiment("food", "negative", { is_implicit: true, confidence: 0.9 }),
    sentiment("food", "negative"),
  ];
  expect(reasonOf({ sentiments })).toBeNull();
});

it("aspects are visited in text order, so the first one in the text wins the only override", () => {
  const review_context = context({ service: votes("positive", 2), food: votes("positive", 2) });
  const sentiments: Sentiment[] = [sentiment("service", "negative"), sentiment("food", "negative")];
  expect(run({ review_context, sentiments }).applied?.aspect).toBe("food");
});

it("of several matches the most confident counts, and the aspect keeps one polarity", () => {
  const sentiments = [
    sentiment("food", "negative", { confidence: 0.3 }),
    sentiment("food", "positive", { confidence: 0.9 }),
  ];
  expect(reasonOf({ sentiments })).toBe("already_confident");
  const review_context = context({ food: votes("negative", 0.8, 0.8) });
  expect(run({ sentiments, review_context }).sentiments).toMatchObject([{ polarity: "negative", confidence: 0.9 }]);
});

it("invalid hints are left out and counted", () => {
  const { records } = run({ review_context: context({ food: [...votes("positive", 2), hint("great", 5)] }) });
  expect(records).toMatchObject([{ valid_hint_count: 1, invalid_hint_count: 1, total: 2 }]);
});

it("in the stance style the speakers' quoted key points are the evidence", () => {
  const point = {
    speaker: "critic",
    stance: "con",
    round: 1,
    message: "",
    aspect_refs: ["service"],
    mapping: "direct" as const,
    mapping_fail_reason: null,
    weight: 1,
    polarity_hint: "negative",
    provenance_hint: "",
  };
  const summary = { winner: null, consensus: null, key_agreements: [], key_disagreements: [], rationale: "" };
  const stance = (key_points: string[]) => ({
    ...context({ service: votes("negative", 2) }),
    summary,
    rebuttal_points: [{ ...point, key_points }],
  });
  expect(reasonOf({ review_context: stance(["they were rude"]) })).toBe("no_evidence_span");
  expect(run({ review_context: stance(['it says "service was slow"']) }).records).toMatchObject([
    { decision: "APPLY", evidence: "service was slow" },
  ]);
});

it("the representative reason follows its priority", () => {
  const record = run({}).records[0];
  if (!record) throw new Error("no record");
  const records = (["already_confident", "low_signal", "no_evidence_span", "l3_conservative"] as const).map(
    (skip_reason) => ({
      ...record,
      skip_reason,
    }),
  );
  expect(findMainReason(records)).toBe("l3_conservative");
  expect(findMainReason(records.slice(0, 3))).toBe("no_evidence_span");
  expect(findMainReason(records.slice(0, 2))).toBe("low_signal");
  expect(findMainReason([])).toBeNull();
  expect(findEvidenceReason(records)).toBe("no_evidence_span");
});
