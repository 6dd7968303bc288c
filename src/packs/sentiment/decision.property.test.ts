import fc from "fast-check";
import { expect, it } from "vitest";
import { randomCase } from "../../../test/support/sentiment/random-case.ts";
import { timesOf } from "../../../test/support/share.ts";
import { caseOf, edit, judge, patchDebate, stage1, turn } from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config/config.ts";
import { decide } from "./decide.ts";
import { decideCase } from "./decision.ts";
import { FinalOutputSchema } from "./schemas/output.ts";
import { verifyOutput } from "./show/checks.ts";

const runs = { numRuns: timesOf({ quick: 100, whole: 400 }) };
const always = (check: (output: ReturnType<typeof decide>, text: string) => void) =>
  fc.assert(
    fc.property(randomCase, (recorded) => {
      check(decide(recorded), recorded.text);
    }),
    runs,
  );

it("any recorded turns give an output that fits its schema and passes every integrity check", () => {
  always((output) => {
    expect(FinalOutputSchema.safeParse(output).error).toBeUndefined();
    expect(verifyOutput(output).filter(({ ok }) => !ok)).toEqual([]);
  });
});

it("the same input gives the same output", () => {
  fc.assert(
    fc.property(randomCase, (recorded) => {
      expect(decide(structuredClone(recorded))).toEqual(decide(recorded));
    }),
    runs,
  );
});

it("the debate alone flips at most one aspect, none under an L3 risk at a conservative profile, and nothing it changes is surer than min_target_conf", () => {
  always(({ settlements, override_gate, final_result, meta }) => {
    const flips = settlements.filter((one) => one.reason === "flipped_by_gate");
    expect(flips.length).toBeLessThanOrEqual(1);
    const conservative = override_gate.some(
      (record) => record.l3_types.length > 0 && record.thresholds.l3_conservative,
    );
    if (conservative) expect(flips).toEqual([]);
    const cap = override_gate[0]?.thresholds.min_target_conf ?? 1;
    const flipped = settlements.filter(({ reason }) => reason.startsWith("flipped")).map(({ aspect }) => aspect);
    if (meta.adopt_decision === "adopted")
      for (const { aspect_ref, confidence } of final_result.final_aspects)
        if (flipped.includes(aspect_ref)) expect(confidence).toBeLessThanOrEqual(cap + 1e-9);
  });
});

it("a missing sentiment never becomes a neutral tuple under the explicit policy unless the text says so", () => {
  always(({ meta, final_result }, text) => {
    if (meta.neutral_policy === "mention") return;
    const neutral = final_result.final_tuples.filter((tuple) => tuple.polarity === "neutral");
    if (!/보통|average/.test(text)) expect(neutral).toEqual([]);
  });
});

const text = "The food was great but the service was slow";
const polarity = fc.constantFrom("positive", "negative");
const oneEdit = fc
  .record({
    op: fc.constantFrom("set_polarity", "confirm_tuple", "drop_tuple"),
    term: fc.constantFrom("food", "service"),
    polarity,
    quoted: fc.boolean(),
  })
  .map(({ op, term, polarity: word, quoted }) => edit(op, term, word, { evidence: quoted ? term : null }));
const config = SentimentConfigSchema.parse({});
const weigh = (turns: ReturnType<typeof turn>[]) => {
  const debate = patchDebate(text, turns, judge({ food: "positive", service: "negative" }));
  const output = decideCase(caseOf(text, stage1(text, { food: "positive", service: "positive" }), debate), config);
  return Object.fromEntries(
    output.override_gate.map(({ aspect, pos_score, neg_score }) => [aspect, [pos_score, neg_score]]),
  );
};

it("repeating oneself never adds weight", () => {
  fc.assert(
    fc.property(fc.array(oneEdit, { minLength: 1, maxLength: 3 }), fc.integer({ min: 2, max: 6 }), (edits, times) => {
      const once = weigh([turn("epm", ...edits)]);
      const often = Array.from({ length: times }, (_, at) => ({ ...turn("epm", ...edits), round: at + 1 }));
      expect(weigh(often)).toEqual(once);
    }),
    runs,
  );
});

it("removing a quote never adds a vote", () => {
  fc.assert(
    fc.property(fc.array(oneEdit, { minLength: 1, maxLength: 3 }), (edits) => {
      const sum = (scores: Record<string, number[]>) =>
        Object.values(scores)
          .flat()
          .reduce((a, b) => a + b, 0);
      const bare = edits.map((one) => ({ ...one, evidence: null }));
      expect(sum(weigh([turn("epm", ...bare)]))).toBeLessThanOrEqual(sum(weigh([turn("epm", ...edits)])) + 1e-9);
    }),
    runs,
  );
});

it("random cases reach every kind of outcome", () => {
  const seen = new Set<string>();
  for (const recorded of fc.sample(randomCase, { numRuns: 2000, seed: 7 })) {
    const { meta, settlements, override_gate } = decide(recorded);
    seen.add(meta.adopt_decision).add(`reason ${meta.adopt_reason}`);
    for (const one of settlements) seen.add(`settled ${one.reason}`);
    for (const record of override_gate) seen.add(`gate ${record.skip_reason ?? record.override_action}`);
  }
  for (const expected of [
    "adopted",
    "reason debate_action",
    "reason risk_resolved",
    "reason ev_below_threshold",
    "settled added_stage1_found_nothing",
    "settled addition_refused",
    "settled kept_drop_unsupported",
    "settled confirmed",
    "gate debate_override_flip",
    "gate l3_conservative",
  ])
    expect([...seen]).toContain(expected);
});
