import { describe, expect, it } from "vitest";
import {
  caseOf,
  judge,
  patch,
  patchDebate,
  proposal,
  stage1,
  stage2,
  unanimous,
} from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decideCase } from "./decision.ts";
import type { FinalOutput } from "./schemas/final-output.ts";
import type { Polarity } from "./schemas/stage1.ts";
import { verifyOutput } from "./show/verify.ts";

const text = "The battery life was great but the case was flimsy";
const long = "battery life";
const span = { start: text.indexOf(long), end: text.indexOf(long) + long.length };
const revise = { term: "battery", action: "revise_span", revised_span: span };
const evidence = { sentence_evidence_spans: ["battery life was great"] };
const config = SentimentConfigSchema.parse({ debate_override: { profile: "t1" } });

type Said = { battery?: Polarity; judged?: string; reviews?: object[]; aspects?: object[]; first?: Polarity };

/** Stage 1 says "battery"; ATE's review makes it "battery life"; all speakers and the judge speak of `judged`. */
function run({ battery = "positive", judged = "battery", reviews = [], aspects = [revise], first = "positive" }: Said) {
  const said = { [judged]: battery, case: "negative" } as const;
  return decideCase(
    caseOf(
      text,
      stage1(text, { battery: first, case: "negative" }),
      patchDebate(text, unanimous(said), judge(said, evidence)),
      stage2({ aspect_review: aspects, sentiment_review: reviews }),
    ),
    config,
  );
}
const show = ({ final_result }: FinalOutput) =>
  final_result.final_tuples.map((tuple) => `${tuple.aspect_ref} ${tuple.polarity}`);
const failed = (output: unknown) =>
  verifyOutput(output)
    .filter((finding) => !finding.ok)
    .map((finding) => finding.check);

describe("an aspect whose span is revised stays one aspect", () => {
  it.each(["battery", long])(
    "confirmed as %s, it stands once, with the revised span, and costs no override",
    (judged) => {
      const output = run({ judged });
      expect(show(output)).toEqual(["battery life positive", "case negative"]);
      expect(output.final_result.final_aspects[0]).toMatchObject({ span, confidence: 0.8 });
      expect(output.override_gate.filter((record) => record.decision === "APPLY")).toEqual([]);
      expect(failed(output)).toEqual([]);
    },
  );

  it.each(["battery", long])("a flip that the debate asks for %s flips it and adds nothing", (judged) => {
    const output = run({ judged, first: "negative" });
    expect(show(output)).toEqual(["battery life positive", "case negative"]);
    expect(output.override_gate.map((record) => record.override_action)).toContain("debate_override_flip");
    expect(failed(output)).toEqual([]);
  });

  it.each(["battery", long])("a later review finds it as %s", (aspect_ref) => {
    const flip = { aspect_ref, action: "flip_polarity", revised_polarity: "negative" };
    const output = run({ battery: "negative", reviews: [flip] });
    expect(output.correction_applied_log.map((one) => [one.proposal_type, one.applied])).toEqual([
      ["REVISE_SPAN", true],
      ["FLIP_POLARITY", true],
    ]);
    expect(show(output)).toEqual(["battery life negative", "case negative"]);
    expect(failed(output)).toEqual([]);
  });

  it.each(["battery", long])("a later review can drop it as %s", (term) => {
    const output = run({ aspects: [revise, { term, action: "drop" }] });
    expect(output.correction_applied_log.map((one) => one.reason)).toContain("dropped");
    expect(failed(output)).toEqual([]);
  });

  it("a second revision goes on from the first, and adding its first name again adds nothing", () => {
    const whole = { start: 0, end: span.end };
    const again = { term: long, action: "revise_span", revised_span: whole };
    const output = run({ aspects: [revise, again, { term: "battery", action: "add" }] });
    expect(show(output)).toEqual(["The battery life positive", "case negative"]);
    expect(output.correction_applied_log.map((one) => one.reason)).toEqual([
      "span_revised",
      "span_revised",
      "already_there",
    ]);
    expect(failed(output)).toEqual([]);
  });

  it("a validator's proposal and the judge's rename to the same words are one rename", () => {
    const said = { [long]: "positive", case: "negative" } as const;
    const summary = judge(said, { ...evidence, final_patch: [patch("set_aspect_ref", "battery", null, long)] });
    const first = stage1(
      text,
      { battery: "positive", case: "negative" },
      { correction_proposals: [proposal("battery", "REVISE_SPAN", { revised_span: span })] },
    );
    const turns = unanimous({ battery: "positive", case: "negative" });
    const output = decideCase(caseOf(text, first, patchDebate(text, turns, summary), stage2()), config);
    expect(show(output)).toEqual(["battery life positive", "case negative"]);
    expect(failed(output)).toEqual([]);
  });

  it("another aspect's words cannot be taken", () => {
    const at = text.indexOf("case");
    const output = run({ aspects: [{ ...revise, revised_span: { start: at, end: at + 4 } }] });
    expect(output.correction_applied_log[0]).toMatchObject({ applied: false, reason: "term_already_there" });
    expect(failed(output)).toEqual([]);
  });
});

describe("verify finds an aspect that was lost when its span was revised", () => {
  const rows: [string, (output: FinalOutput) => void][] = [
    [
      "the result stands under the first name while the log says applied",
      (output) => rename(output, (name) => (name === long ? "battery" : name)),
    ],
    [
      "both names stand, with opposite polarities",
      (output) => {
        const { final_tuples, final_aspects } = output.final_result;
        const other = { aspect_ref: "battery", aspect_term: "battery", polarity: "negative" } as const;
        final_tuples.push(other);
        final_aspects.push({
          ...(final_aspects[0] as FinalOutput["final_result"]["final_aspects"][number]),
          ...strip(other),
        });
        if (output.debate?.style === "patch") output.debate.summary.settled_tuples.push(other);
      },
    ],
    [
      "a later flip found no sentiment",
      (output) => {
        const [first] = output.correction_applied_log;
        if (first)
          output.correction_applied_log.push({
            ...first,
            proposal_type: "FLIP_POLARITY",
            applied: false,
            reason: "no_sentiment",
            resulting_term: null,
          });
      },
    ],
    [
      "a confirmation used up the override",
      (output) => {
        const [record] = output.override_gate;
        const [first] = output.correction_applied_log;
        if (!record || !first) return;
        Object.assign(record, {
          decision: "APPLY",
          skip_reason: null,
          current_pol: null,
          override_action: "debate_override_add",
        });
        output.correction_applied_log.push({ ...first, proposal_type: "DEBATE_OVERRIDE", resulting_term: null });
      },
    ],
  ];
  it.each(rows)("%s", (_, doctor) => {
    const output = structuredClone(run({}));
    expect(output.meta.adopt_decision).toBe("adopted");
    doctor(output);
    expect(failed(output)).toEqual(["S4"]);
  });
});

function strip({ aspect_ref, polarity }: { aspect_ref: string; polarity: "negative" }) {
  return { aspect_ref, polarity };
}

function rename(output: FinalOutput, to: (name: string) => string): void {
  const settled = output.debate?.style === "patch" ? output.debate.summary.settled_tuples : [];
  for (const one of [...output.final_result.final_tuples, ...output.final_result.final_aspects, ...settled])
    one.aspect_ref = to(one.aspect_ref);
}
