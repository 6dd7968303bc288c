import fc from "fast-check";
import { expect, it } from "vitest";
import { decideReplies } from "../../../test/support/sentiment/ground-case.ts";
import { randomCase } from "../../../test/support/sentiment/random-case.ts";
import { timesOf } from "../../../test/support/share.ts";
import { agreeingScript, playScript } from "../../../test/support/sentiment/play.ts";
import { edit } from "../../../test/support/sentiment/turns.ts";
import { type Edit, silentJudge } from "./schemas/debate.ts";
import { FinalOutputSchema } from "./schemas/output.ts";
import { verifyOutput } from "./show/checks.ts";
import { sections } from "./show/sections.ts";
import { spell, story } from "./show/story.ts";

const runs = { numRuns: timesOf({ quick: 100, whole: 400 }) };
const always = (check: (output: ReturnType<typeof decideReplies>, text: string) => void) =>
  fc.assert(
    fc.property(randomCase, ({ replies, config }) => {
      check(decideReplies(replies, config), replies.text);
    }),
    runs,
  );

it("any replies give an output that fits its schema and passes every integrity check", () => {
  always((output) => {
    expect(FinalOutputSchema.safeParse(output).error).toBeUndefined();
    expect(verifyOutput(output).filter(({ ok }) => !ok)).toEqual([]);
  });
});

it("the same input gives the same output", () => {
  fc.assert(
    fc.property(randomCase, ({ replies, config }) => {
      expect(decideReplies(structuredClone(replies), config)).toEqual(decideReplies(replies, config));
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

it("the label never says more than the tuples", () => {
  always(({ final_result: { label, final_tuples } }) => {
    const found = new Set<string>(final_tuples.map((tuple) => tuple.polarity));
    if (label === "mixed") expect(found.isSupersetOf(new Set(["positive", "negative"]))).toBe(true);
    else if (label !== "neutral") expect([...found]).toContain(label);
  });
});

const text = "The food was great but the service was slow";
const quotes: Record<string, string> = { food: "food was great", service: "service was slow" };
const oneEdit = fc
  .record({
    op: fc.constantFrom("set_polarity", "confirm_tuple", "drop_tuple", "set_polarity "),
    term: fc.constantFrom("food", "service", "Service", "price"),
    polarity: fc.constantFrom("positive", "negative", "neutral"),
    evidence: fc.constantFrom("own", "other", "invented", null),
  })
  .map(({ op, term, polarity, evidence }) => {
    const own = quotes[term.toLowerCase()] ?? text;
    const words = { own, other: own === quotes.food ? "service was slow" : "food was great", invented: "so cold" };
    return edit(op, term, polarity, { evidence: evidence && words[evidence] });
  });
const someEdits = fc.array(oneEdit, { minLength: 1, maxLength: 3 });

/** Plays a debate in which EPM says this, round by round, and nobody else says anything. */
async function playEpm(rounds: Edit[][]) {
  const silence = { agent: null, proposed_edits: [] };
  const often = <T>(reply: T) => Array.from({ length: 2 * rounds.length }, () => reply);
  const script = agreeingScript({
    epm: rounds.flatMap((proposed_edits) => [
      { agent: null, proposed_edits },
      { agent: null, proposed_edits },
    ]),
    tan: often(silence),
    cj: often(silence),
    judge: [
      { ...silentJudge, aspect_evidence: [] },
      { ...silentJudge, aspect_evidence: [] },
    ],
  });
  return playScript({ debate: { rounds: rounds.length } }, script);
}

const weigh = async (...rounds: Edit[][]) =>
  (await playEpm(rounds)).decision.override_gate.map(({ aspect, pos_score, neg_score }) => [
    aspect,
    pos_score,
    neg_score,
  ]);
const fewRuns = { numRuns: timesOf({ quick: 20, whole: 200 }) };

it("repeating oneself never adds weight", () =>
  fc.assert(
    fc.asyncProperty(someEdits, fc.integer({ min: 2, max: 3 }), async (edits, times) => {
      const once = await weigh(edits);
      expect(await weigh([...edits, ...edits])).toEqual(once);
      expect(await weigh(...Array.from({ length: times }, () => edits))).toEqual(once);
    }),
    fewRuns,
  ));

it("removing a quote never adds a vote", () =>
  fc.assert(
    fc.asyncProperty(someEdits, fc.nat({ max: 2 }), async (edits, at) => {
      const sum = (scores: unknown[][]) =>
        scores.flat().reduce<number>((a, b) => a + (typeof b === "number" ? b : 0), 0);
      const bare = edits.map((one, index) => (index === at ? { ...one, evidence: null } : one));
      const others = edits.some((one, index) => index !== at && one.target.aspect_ref === edits[at]?.target.aspect_ref);
      if (!others) expect(sum(await weigh(bare))).toBeLessThanOrEqual(sum(await weigh(edits)) + 1e-9);
    }),
    fewRuns,
  ));

it("every strike, correction and repair has a line in the report, every strike one in the story", () =>
  fc.assert(
    fc.asyncProperty(someEdits, async (edits) => {
      const played = await playEpm([edits]);
      const report = JSON.stringify(sections(played));
      const tale = JSON.stringify(story(played));
      for (const { code, what } of played.decision.strikes)
        for (const page of [report, tale]) {
          expect(page).toContain(spell(code));
          expect(page).toContain(JSON.stringify(what).slice(1, -1));
        }
      for (const one of played.decision.correction_applied_log) expect(report).toContain(spell(one.reason));
      for (const turn of played.turns) if (turn.attempts.length > 1) expect(report).toContain("asked again");
    }),
    fewRuns,
  ));

it("random cases reach every kind of outcome", () => {
  const wanted = new Set([
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
  ]);
  for (let seed = 0; seed < 60 && wanted.size > 0; seed += 1)
    for (const { replies, config } of fc.sample(randomCase, { numRuns: 100, seed })) {
      const { meta, settlements, override_gate } = decideReplies(replies, config);
      wanted.delete(meta.adopt_decision);
      wanted.delete(`reason ${meta.adopt_reason}`);
      for (const one of settlements) wanted.delete(`settled ${one.reason}`);
      for (const record of override_gate) wanted.delete(`gate ${record.skip_reason ?? record.override_action}`);
    }
  expect([...wanted]).toEqual([]);
});
