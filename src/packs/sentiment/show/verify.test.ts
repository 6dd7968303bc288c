import { describe, expect, it } from "vitest";
import { caseOf, edit, judge, patchDebate, stage1, turn, unanimous } from "../../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "../config.ts";
import { decideCase } from "../decision.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { verifyCounts, verifyOutput, verifyRun } from "./verify.ts";

const text = "The food was great but the service was slow";
const evidence = { sentence_evidence_spans: ["food was great"] };
const run = (turns = unanimous({ food: "positive" })) =>
  decideCase(
    caseOf(
      text,
      stage1(text, { food: "negative", service: "negative" }),
      patchDebate(text, turns, judge({ food: "positive", service: "negative" }, evidence)),
    ),
    SentimentConfigSchema.parse({}),
  );
const failed = (output: unknown) =>
  verifyOutput(output)
    .filter((finding) => !finding.ok)
    .map((finding) => finding.check);

it("a true run passes every check", () => {
  expect(verifyRun(run()).filter((finding) => !finding.ok)).toEqual([]);
  expect(verifyRun(run()).map((finding) => finding.check)).toEqual([
    "E2E",
    "E2E",
    "E2E",
    "PJ1",
    "PJ2",
    "PJ3",
    "PJ4",
    "S2",
    "S3",
    "S4",
    "not_adopted",
    "S1",
  ]);
});

describe("a doctored run fails", () => {
  const rows: [string, (output: FinalOutput) => void][] = [
    [
      "PJ1",
      (output) =>
        output.stage1_aspects.push({
          ...(output.stage1_aspects[0] as FinalOutput["stage1_aspects"][number]),
          term: "parking",
        }),
    ],
    ["PJ2", (output) => Object.assign(output.override_gate[0] as object, { evidence: "delicious" })],
    ["PJ3", (output) => Object.assign(output.meta, { ev_score: 0.2 })],
    ["PJ4", (output) => Object.assign(output.override_gate[1] as object, { decision: "APPLY", evidence: "service" })],
    ["PJ4", (output) => output.correction_applied_log.splice(0)],
    ["S2", (output) => output.final_result.final_aspects.pop()],
    [
      "S3",
      (output) => {
        output.final_result.final_tuples.pop();
        output.final_result.final_aspects.pop();
      },
    ],
    ["schema", (output) => Object.assign(output.meta, { adopt_reason: "because" })],
  ];
  it.each(rows)("%s", (check, doctor) => {
    const output = structuredClone(
      run([...unanimous({ food: "positive" }), turn("epm", edit("confirm_tuple", "service", "negative"))]),
    );
    expect(output.meta.adopt_decision).toBe("adopted");
    doctor(output);
    expect(failed(output)).toEqual([check]);
  });

  it("not_adopted: a leaked polarity", () => {
    const output = structuredClone(run([]));
    expect(output.meta.adopt_decision).toBe("not_adopted");
    for (const list of [output.final_result.final_tuples, output.final_result.final_aspects])
      Object.assign(list[0] as object, { polarity: "positive" });
    expect(failed(output)).toContain("not_adopted");
  });

  it("S3: refused for a reason that the checks do not know", () => {
    const output = structuredClone(run());
    Object.assign(output.meta, { adopt_decision: "not_adopted", adopt_reason: "risk_resolved" });
    output.final_result.final_tuples = output.final_result.stage1_tuples;
    output.final_result.final_aspects.forEach((one) => Object.assign(one, { polarity: "negative" }));
    expect(failed(output)).toEqual(["S3"]);
  });

  it.each([
    [["a"], 2],
    [["a", "a"], 2],
  ])("E2E: outputs %j for %d cases", (outputs, cases) => {
    const findings = verifyCounts({ outputs, scorecards: ["a", "b"], traces: ["a", "b"] }, cases);
    expect(findings.map((finding) => finding.ok)).toEqual([false, true, true]);
  });
});

it("S1 lists where the judge's own tuples are not final, with the settling reason", () => {
  const finding = verifyOutput(run([])).find((one) => one.check === "S1");
  expect(finding).toMatchObject({ ok: true, message: expect.stringContaining("food: kept_low_signal") });
});
