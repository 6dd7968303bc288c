import fc from "fast-check";
import { expect, it } from "vitest";
import { randomCase } from "../../../test/support/sentiment/random-case.ts";
import { mapRefusal } from "./rules/adopt/adopt.ts";
import { FinalOutputSchema } from "./schemas/final-output.ts";
import { decide } from "./decide.ts";
import { timesOf } from "../../../test/support/share.ts";

const runs = { numRuns: timesOf({ quick: 100, whole: 400 }) };
const keys = (tuples: { aspect_ref: string; polarity: string }[]) =>
  tuples.map((tuple) => `${tuple.aspect_ref}=${tuple.polarity}`).sort();
const always = (check: (output: ReturnType<typeof decide>, text: string) => void) =>
  fc.assert(
    fc.property(randomCase, (recorded) => {
      check(decide(recorded), recorded.text);
    }),
    runs,
  );

it("any recorded turns give an output that fits its schema", () => {
  always((output) => expect(FinalOutputSchema.safeParse(output).error).toBeUndefined());
});

it("the same input gives the same output", () => {
  fc.assert(
    fc.property(randomCase, (recorded) => {
      expect(decide(structuredClone(recorded))).toEqual(decide(recorded));
    }),
    runs,
  );
});

it("PJ1: every aspect other than the implicit one is in the text", () => {
  always(({ final_result, stage1_aspects }, text) => {
    const terms = [...stage1_aspects.map((one) => one.term), ...final_result.final_tuples.map((one) => one.aspect_ref)];
    expect(terms.filter((term) => term !== "" && !text.includes(term))).toEqual([]);
  });
});

it("PJ2: every override has evidence in the text", () => {
  always(({ override_gate }, text) => {
    for (const { evidence } of override_gate.filter((record) => record.decision === "APPLY"))
      expect(evidence !== null && evidence.length >= 2 && text.includes(evidence)).toBe(true);
  });
});

it("PJ3: adopted implies an EV score at or above the threshold", () => {
  always(({ meta }) => {
    if (meta.adopt_decision === "adopted") expect(meta.ev_score).toBeGreaterThanOrEqual(meta.ev_threshold - 1e-9);
  });
});

it("PJ4: at most one override per sample", () => {
  always(({ override_gate, meta }) => {
    expect(override_gate.filter((record) => record.decision === "APPLY").length).toBeLessThanOrEqual(1);
    expect(meta.debate_override_stats.applied).toBeLessThanOrEqual(1);
  });
});

it("S2: the final tuples are those of the final aspects", () => {
  always(({ final_result }) => expect(keys(final_result.final_tuples)).toEqual(keys(final_result.final_aspects)));
});

it("S3: settled tuples that are not final were not adopted, for a reason the checks know", () => {
  always(({ debate, final_result, meta }) => {
    if (debate?.style !== "patch") return;
    if (keys(debate.summary.settled_tuples).join() === keys(final_result.final_tuples).join()) return;
    expect(meta.adopt_decision).toBe("not_adopted");
    expect(mapRefusal(meta.adopt_reason)).not.toBeNull();
  });
});

it("not adopted means that the final list is exactly Stage 1's", () => {
  always(({ meta, final_result }) => {
    if (meta.adopt_decision === "not_adopted") expect(final_result.final_tuples).toEqual(final_result.stage1_tuples);
  });
});

it("every confidence and score is within 0..1", () => {
  always(({ final_result, meta, override_gate }) => {
    const values = [
      final_result.confidence,
      meta.ev_score,
      ...final_result.final_aspects.map((one) => one.confidence),
      ...override_gate.flatMap((record) => record.current_conf ?? []),
    ];
    expect(values.filter((value) => !(value >= 0 && value <= 1))).toEqual([]);
  });
});

it("the debate alone flips at most one aspect, and none under an L3 risk at a conservative profile", () => {
  always(({ settlements, override_gate }) => {
    const flips = settlements.filter((one) => one.reason === "flipped_by_gate");
    expect(flips.length).toBeLessThanOrEqual(1);
    const conservative = override_gate.some((record) => record.l3_flag && record.thresholds.l3_conservative);
    if (conservative) expect(flips).toEqual([]);
  });
});

it("a missing sentiment never becomes a neutral tuple under the explicit policy unless the text says so", () => {
  always(({ meta, final_result }, text) => {
    if (meta.neutral_policy === "mention") return;
    const neutral = final_result.final_tuples.filter((tuple) => tuple.polarity === "neutral");
    if (!/보통|average/.test(text)) expect(neutral).toEqual([]);
  });
});

it("random cases reach every kind of outcome", () => {
  const seen = new Set<string>();
  for (const recorded of fc.sample(randomCase, { numRuns: 3000, seed: 7 })) {
    const { meta, settlements, override_gate } = decide(recorded);
    seen.add(meta.adopt_decision).add(`reason ${meta.adopt_reason}`);
    for (const one of settlements) seen.add(`settled ${one.reason}`);
    for (const record of override_gate) seen.add(`gate ${record.skip_reason ?? record.override_action}`);
  }
  for (const expected of [
    "adopted",
    "reason debate_action",
    "reason risk_resolved",
    "reason grounding_improved",
    "reason ev_below_threshold",
    "settled added_by_all_speakers",
    "settled added_stage1_found_nothing",
    "settled addition_refused",
    "settled dropped_by_judge",
    "settled confirmed",
    "gate debate_override_add",
    "gate debate_override_flip",
    "gate already_confident",
    "gate l3_conservative",
    "gate max_one_override_per_sample",
  ])
    expect([...seen]).toContain(expected);
});
