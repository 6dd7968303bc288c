import { describe, expect, test } from "vitest";
import type { AgentOutput } from "../../schemas/agent-output.ts";
import type { AgentInput } from "../role-inputs.ts";
import { caseFile, claim, critique, output, response } from "../../../../../test/support/law-fixture.ts";
import { agentChecks } from "./agent-checks.ts";
import { findAll, mendAll } from "./check.ts";

const input: AgentInput = { file: caseFile(), agent: "NLA", round: 1, previous: null, critiques: [] };
const raised = { ...critique(), round: 1, agent: "ALA" as const, target: "NLA" as const };
const second: AgentInput = { ...input, round: 2, previous: output("NLA"), critiques: [raised] };

function checked(reply: AgentOutput, to: AgentInput = input) {
  const problems = findAll(agentChecks, reply, to);
  return { problems, codes: problems.map(({ code }) => code), mended: mendAll(agentChecks, reply, problems, to) };
}

describe("checks on an agent's answer (law spec §3)", () => {
  test("a sound answer has no problem", () => {
    expect(checked(output("NLA")).problems).toEqual([]);
  });
  test("an unknown evidence id is removed and its claim flagged", () => {
    const { codes, mended } = checked(output("NLA", { claims: [claim({ evidence: ["source_id_1"] })] }));
    expect(codes).toEqual(["placeholder_evidence"]);
    expect(mended.claims).toEqual([claim({ evidence: [], risk: "no_evidence" })]);
    expect(mended.faults?.[0]?.message).toContain("source_id_1");
  });
  test("a known id beside an unknown one is kept", () => {
    const { mended } = checked(output("NLA", { claims: [claim({ evidence: ["NAT-KUHPER-852", "KUHPerdata:9999"] })] }));
    expect(mended.claims[0]).toMatchObject({ evidence: ["NAT-KUHPER-852"], risk: "no_evidence" });
  });
  test("a readable alias is a valid id", () => {
    expect(checked(output("NLA", { claims: [claim({ evidence: ["kuhperdata:852"] })] })).problems).toEqual([]);
  });
  test("a claim without evidence is flagged", () => {
    const { codes, mended } = checked(output("NLA", { claims: [claim({ evidence: [] })] }));
    expect(codes).toEqual(["no_evidence"]);
    expect(mended.claims[0]?.risk).toBe("no_evidence");
  });
  test("a statement that names a provision nobody retrieved loses its ground", () => {
    const forged = claim({ statement: "Menurut Pasal 914Z KUHPerdata menantu mewaris." });
    const { codes, mended } = checked(output("NLA", { claims: [forged] }));
    expect(codes).toEqual(["invented_citation"]);
    expect(mended.claims[0]).toMatchObject({ evidence: [], risk: "no_evidence" });
  });
  test("a statement may name what was retrieved", () => {
    const real = claim({ statement: "Menurut Pasal 852 KUHPerdata anak mewaris sama besar." });
    expect(checked(output("NLA", { claims: [real] })).codes).toEqual([]);
  });
  test("of 14 claims the four least confident are cut, and the cut is recorded", () => {
    const claims = Array.from({ length: 14 }, (_, index) =>
      claim({ id: `C${index + 1}`, confidence: ((index * 5) % 14) / 14 }),
    );
    const { codes, mended } = checked(output("NLA", { claims }));
    expect(codes).toEqual(["too_many_claims"]);
    expect(mended.claims.map(({ id }) => id)).toEqual(
      ["C3", "C5", "C6", "C8", "C9", "C11", "C12", "C14", "C2", "C13"].toSorted(
        (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
      ),
    );
    expect(mended.faults?.[0]?.message).toContain("dibuang: ");
  });
  test("a claim id used twice is renumbered, never merged", () => {
    const { codes, mended } = checked(
      output("NLA", { claims: [claim(), claim({ statement: "Lain." }), claim({ id: "C2" })] }),
    );
    expect(codes).toEqual(["duplicate_claim_id"]);
    expect(mended.claims.map(({ id }) => id)).toEqual(["C1", "C3", "C2"]);
  });
  test("an answer in the other agent's name is rejected", () => {
    expect(checked(output("ALA")).problems).toMatchObject([{ code: "wrong_agent", severity: "reject" }]);
  });
  test("a revision answers each critique on it", () => {
    expect(checked(output("NLA", { round: 2 }), second).codes).toEqual(["unanswered_critique"]);
    expect(checked(output("NLA", { round: 2, responses: [response()] }), second).problems).toEqual([]);
  });
  test("a response to a critique that was never made, or without a reason, is struck", () => {
    const responses = [response({ critique_id: "K9" }), response({ reason: "" })];
    const { codes, mended } = checked(output("NLA", { round: 2, responses }), second);
    expect(codes).toEqual(["unknown_critique", "no_reason"]);
    expect(mended.responses).toEqual([]);
  });
  test("a response that cites something not retrieved loses the citation", () => {
    const responses = [response({ response: "rejected", evidence: ["MA:1589"] })];
    const { codes, mended } = checked(output("NLA", { round: 2, responses }), second);
    expect(codes).toEqual(["unknown_evidence"]);
    expect(mended.responses[0]?.evidence).toEqual([]);
  });
});
