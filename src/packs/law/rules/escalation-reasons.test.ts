import { describe, expect, test } from "vitest";
import type { Critique } from "../schemas/critique-message.ts";
import type { Round } from "../schemas/round.ts";
import { claim, critique, message, output, response } from "../../../../test/support/law-fixture.ts";
import { escalationReasons } from "./escalation-reasons.ts";

const open = (over: Partial<Critique>): Round[] => [
  {
    round: 1,
    nla: output("NLA"),
    ala: output("ALA"),
    ala_on_nla: message("ALA", [critique({ severity: "CRITICAL", ...over })]),
  },
  { round: 2, nla: output("NLA", { round: 2 }), ala: output("ALA", { round: 2 }) },
];
const codes = (rounds: Round[], max_rounds = 3): string[] =>
  escalationReasons(rounds, { max_rounds }).map(({ code }) => code);
const upheld = [{ critique_id: "K1", verdict: "upheld" as const, reason: "Tetap bertentangan." }];
const contradictions = [{ nla_claim_id: "C1", ala_claim_id: "C1", by: ["rule:bali:x"], statement: "Bertentangan." }];

describe("escalation (law spec §4)", () => {
  test.each(["evidence_gap", "overclaim"] as const)("critical_evidence: an open CRITICAL %s", (issue_type) => {
    expect(escalationReasons(open({ issue_type }))).toMatchObject([{ code: "critical_evidence", refs: ["ALA:K1"] }]);
  });
  test.each(["conflict", "domain_mismatch"] as const)("critical_norm_conflict: an open CRITICAL %s", (issue_type) => {
    expect(codes(open({ issue_type }))).toEqual(["critical_norm_conflict"]);
  });
  test("a CRITICAL critique that was closed is no reason", () => {
    const rounds = open({ issue_type: "overclaim" });
    const [, second] = rounds;
    if (second) second.nla = output("NLA", { round: 2, claims: [], responses: [response()] });
    expect(codes(rounds)).toEqual([]);
  });
  test("hard_contradiction: the rules say both claims cannot hold, and nobody justified it", () => {
    const rounds: Round[] = [{ round: 2, nla: output("NLA"), ala: output("ALA"), contradictions }];
    expect(escalationReasons(rounds)).toMatchObject([{ code: "hard_contradiction", refs: ["NLA:C1", "ALA:C1"] }]);
  });
  test("a contradiction that was criticised and rejected on evidence is justified once its critic withdraws, not before", () => {
    const rounds = open({ issue_type: "conflict", severity: "MAJOR" });
    const [, second] = rounds;
    const rejected = response({ response: "rejected", reason: "Rezim lain.", evidence: ["NAT-UU48-5"] });
    if (second) Object.assign(second, { nla: output("NLA", { round: 2, responses: [rejected] }), contradictions });
    expect(codes(rounds)).toEqual(["hard_contradiction"]);
    const withdrawn = { critique_id: "K1", reason: "Terjawab.", verdict: "withdrawn" as const };
    if (second) second.ala_on_nla = message("ALA", [], [withdrawn]);
    expect(codes(rounds)).toEqual([]);
  });
  test("unchecked_claims: a critic that said nothing leaves the other side's claims unchecked", () => {
    const round: Round = { round: 1, nla: output("NLA"), ala: output("ALA"), silent: ["NLA"] };
    expect(escalationReasons([round])).toMatchObject([{ code: "unchecked_claims", refs: ["ALA"] }]);
    expect(codes([{ ...round, ala: output("ALA", { claims: [] }) }])).toEqual([]);
  });
  test("claims that were dropped for want of evidence count in the 30 %", () => {
    const bare = [claim(), claim({ id: "C2", evidence: [], risk: "no_evidence" })];
    const first: Round = { round: 1, nla: output("NLA", { claims: bare }), ala: output("ALA") };
    const dropped: Round = { round: 2, nla: output("NLA", { round: 2 }), ala: output("ALA", { round: 2 }) };
    expect(codes([first, dropped])).toEqual(["evidence_missing_over_30_percent"]);
    const restated: Round = { ...dropped, nla: output("NLA", { claims: [claim(), claim({ id: "C2" })] }) };
    expect(codes([first, restated])).toEqual([]);
  });
  test("a contradiction whose claim was dropped is gone", () => {
    const rounds: Round[] = [{ round: 2, nla: output("NLA", { claims: [] }), ala: output("ALA"), contradictions }];
    expect(codes(rounds)).toEqual([]);
  });
  test("hard_contradiction: an upheld conflict whose claim is kept", () => {
    const rounds = open({ issue_type: "conflict", severity: "MAJOR" });
    const [, second] = rounds;
    if (second) second.ala_on_nla = message("ALA", [], upheld);
    expect(codes(rounds)).toEqual(["hard_contradiction"]);
  });
  test("evidence_missing_over_30_percent: either agent, above 30 % and not at it", () => {
    const claims = (missing: number, of: number) =>
      Array.from({ length: of }, (_, index) =>
        claim({ id: `C${index}`, evidence: index < missing ? [] : ["NAT-UUP-35"] }),
      );
    const withClaims = (missing: number, of: number): Round[] => [
      { round: 2, nla: output("NLA"), ala: output("ALA", { claims: claims(missing, of) }) },
    ];
    expect(codes(withClaims(3, 10))).toEqual([]);
    expect(escalationReasons(withClaims(4, 10))).toMatchObject([
      { code: "evidence_missing_over_30_percent", refs: ["ALA"] },
    ]);
    expect(codes(withClaims(0, 0))).toEqual([]);
  });
  test("not_converged_after_max_rounds: the last allowed round ended without a condition", () => {
    const rounds = open({ issue_type: "logic_gap" });
    expect(codes(rounds, 2)).toEqual(["not_converged_after_max_rounds"]);
    expect(codes(rounds, 3)).toEqual([]);
  });
  test("a debate of one round cannot converge and is not escalated for it", () => {
    expect(codes(open({ issue_type: "logic_gap" }).slice(0, 1), 1)).toEqual([]);
  });
});
