import { describe, expect, test } from "vitest";
import type { AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { Critique } from "../schemas/critique-message.ts";
import type { Round } from "../schemas/round.ts";
import { critiqueStatus } from "./critique-status.ts";
import { claim, critique, message, output, response } from "../../../../test/support/law-fixture.ts";

/** ALA criticises NLA in round 1; the rest says what NLA does in round 2. */
function debate(raised: Critique, revision: Partial<AgentOutput>, second?: Round["ala_on_nla"]): Round[] {
  return [
    { round: 1, nla: output("NLA"), ala: output("ALA"), nla_on_ala: null, ala_on_nla: message("ALA", [raised]) },
    { round: 2, nla: output("NLA", { round: 2, ...revision }), ala: output("ALA", { round: 2 }), ala_on_nla: second },
  ];
}

const rejected = response({ response: "rejected", reason: "Sumbernya jelas.", evidence: ["NAT-KUHPER-852"] });
const changed: Claim[] = [claim({ assumptions: ["Pewaris tunduk pada KUHPerdata."] })];
const findStatus = (rounds: Round[]): string | undefined => critiqueStatus(rounds)[0]?.status;

describe("critique status (law spec §4)", () => {
  test("a critique is open while its target has not answered it", () => {
    expect(critiqueStatus(debate(critique(), {}))).toEqual([
      {
        critique: { ...critique(), round: 1, agent: "ALA", target: "NLA" },
        status: "open",
        why: "NLA has not answered it",
      },
    ]);
  });
  test("(a) accepted and the claim changed: closed", () => {
    expect(findStatus(debate(critique(), { responses: [response()], claims: changed }))).toBe("accepted");
  });
  test("(a) accepted and the claim dropped: closed", () => {
    expect(findStatus(debate(critique(), { responses: [response()], claims: [] }))).toBe("accepted");
  });
  test("(a) accepted but the claim left as it was: open", () => {
    expect(findStatus(debate(critique(), { responses: [response()] }))).toBe("open");
  });
  test("a change of punctuation or case is no change", () => {
    const claims = [claim({ statement: "ANAK  mewaris" })];
    expect(findStatus(debate(critique(), { responses: [response()], claims }))).toBe("open");
  });
  test("lower confidence answers an overclaim but not a conflict", () => {
    const revision = { responses: [response()], claims: [claim({ confidence: 0.4 })] };
    expect(findStatus(debate(critique({ issue_type: "overclaim" }), revision))).toBe("accepted");
    expect(findStatus(debate(critique({ issue_type: "conflict" }), revision))).toBe("open");
  });
  test("higher confidence answers nothing", () => {
    expect(findStatus(debate(critique(), { responses: [response()], claims: [claim({ confidence: 0.9 })] }))).toBe(
      "open",
    );
  });
  test("(b) rejected on evidence: contested until its critic speaks", () => {
    expect(findStatus(debate(critique(), { responses: [rejected] }))).toBe("contested");
  });
  test("(b) rejected without evidence, or without a reason: open", () => {
    expect(findStatus(debate(critique(), { responses: [{ ...rejected, evidence: [] }] }))).toBe("open");
    expect(findStatus(debate(critique(), { responses: [{ ...rejected, reason: " " }] }))).toBe("open");
  });
  test("(b) rejected on evidence but upheld by its critic: open", () => {
    const upheld = message("ALA", [], [{ critique_id: "K1", verdict: "upheld", reason: "Tetap." }]);
    expect(findStatus(debate(critique(), { responses: [rejected] }, upheld))).toBe("open");
  });
  test("(c) withdrawn by its critic: closed, whatever the target did", () => {
    const withdrawn = message("ALA", [], [{ critique_id: "K1", verdict: "withdrawn", reason: "Puas." }]);
    expect(findStatus(debate(critique(), {}, withdrawn))).toBe("withdrawn");
  });
  test("an upheld critique is not closed by rejecting it again, but by accepting it and changing the claim", () => {
    const upheld = message("ALA", [], [{ critique_id: "K1", verdict: "upheld", reason: "Tetap." }]);
    const two = debate(critique(), { responses: [rejected] }, upheld);
    const third = (revision: Partial<AgentOutput>): Round[] => [
      ...two,
      { round: 3, nla: output("NLA", { round: 3, ...revision }), ala: output("ALA", { round: 3 }) },
    ];
    expect(findStatus(third({ responses: [rejected] }))).toBe("open");
    expect(findStatus(third({ responses: [response()], claims: changed }))).toBe("accepted");
  });
  test("a claim that goes back to what was criticised reopens the critique", () => {
    const two = debate(critique(), { responses: [response()], claims: changed });
    const three: Round[] = [...two, { round: 3, nla: output("NLA", { round: 3 }), ala: output("ALA", { round: 3 }) }];
    expect(findStatus(two)).toBe("accepted");
    expect(findStatus(three)).toBe("open");
  });
  test("an id used again in a later round means the later critique from then on", () => {
    const again = message("ALA", [critique({ severity: "MINOR" })]);
    const three: Round[] = [
      ...debate(critique(), {}, again),
      { round: 3, nla: output("NLA", { round: 3, responses: [rejected] }), ala: output("ALA", { round: 3 }) },
    ];
    expect(critiqueStatus(three).map(({ critique: { round }, status }) => [round, status])).toEqual([
      [1, "open"],
      [2, "contested"],
    ]);
  });
  test("one agent's answer to its K1 says nothing about the other's K1", () => {
    const rounds = debate(critique(), { responses: [rejected] });
    const [first] = rounds;
    if (first) first.nla_on_ala = message("NLA", [critique()]);
    expect(critiqueStatus(rounds).map(({ critique: { agent }, status }) => [agent, status])).toEqual([
      ["NLA", "open"],
      ["ALA", "contested"],
    ]);
  });

  describe("a clash that its critic upholds", () => {
    const clash = (over: Partial<Critique> = {}): Critique =>
      critique({ issue_type: "conflict", severity: "MAJOR", evidence: ["ADT-BAL-13"], ...over });
    const verdicts = [{ critique_id: "K1", verdict: "upheld" as const, reason: "Pertentangannya nyata." }];
    const upheld = { ...message("ALA", []), verdicts };
    const revision = { responses: [rejected] };

    test.each([
      ["with evidence on both sides is a finding", clash(), revision, "finding"],
      ["without evidence of its own is open", clash({ evidence: [] }), revision, "open"],
      ["as CRITICAL is open: the other law cannot apply", clash({ severity: "CRITICAL" }), revision, "open"],
      ["against an answer without evidence is open", clash(), { responses: [{ ...rejected, evidence: [] }] }, "open"],
      ["against no answer is open", clash(), {}, "open"],
      ["and that is no clash is open", clash({ issue_type: "overclaim" }), revision, "open"],
    ])("%s", (_, raised, said, status) => {
      expect(findStatus(debate(raised, said, upheld))).toBe(status);
    });
  });
});
