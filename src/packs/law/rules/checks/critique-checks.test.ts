import { describe, expect, test } from "vitest";
import type { CritiqueMessage } from "../../schemas/critique-message.ts";
import type { CriticInput } from "../role-inputs.ts";
import { caseFile, critique, message, output, response } from "../../../../../test/support/law-fixture.ts";
import { findAll, mendAll } from "./check.ts";
import { critiqueChecks } from "./critique-checks.ts";

const input: CriticInput = {
  file: caseFile(),
  agent: "NLA",
  round: 1,
  own: output("NLA"),
  target: output("ALA"),
  earlier: [],
};
const three = ["K1", "K2", "K3"].map((id) => critique({ id }));
const raised = { ...critique(), round: 1, agent: "NLA" as const, target: "ALA" as const };
const second: CriticInput = { ...input, round: 2, earlier: [{ critique: raised, response: response() }] };

function checked(reply: CritiqueMessage, to: CriticInput = input) {
  const problems = findAll(critiqueChecks, reply, to);
  return { codes: problems.map(({ code }) => code), mended: mendAll(critiqueChecks, reply, problems, to) };
}

describe("checks on a critique (law spec §3)", () => {
  test("three complete critiques of the other's claims have no problem", () => {
    expect(checked(message("NLA", three)).codes).toEqual([]);
  });
  test("criticising oneself is struck, and what is left is an echo chamber", () => {
    const { codes, mended } = checked({ ...message("NLA", three), target: "NLA" });
    expect(codes).toEqual(["self_criticism", "echo_chamber"]);
    expect(mended).toMatchObject({ target: "ALA", critiques: [] });
    expect(mended.faults?.[0]?.message).toContain("K1, K2, K3");
  });
  test("two critiques in round 1 are flagged as an echo chamber and kept", () => {
    const { codes, mended } = checked(message("NLA", three.slice(0, 2)));
    expect(codes).toEqual(["echo_chamber"]);
    expect(mended).toMatchObject({ critiques: [{ id: "K1" }, { id: "K2" }] });
  });
  test("a critique without a suggested fix is struck and does not count towards three", () => {
    const { codes, mended } = checked(
      message("NLA", [...three.slice(0, 2), critique({ id: "K3", suggested_fix: " " })]),
    );
    expect(codes).toEqual(["no_suggested_fix", "echo_chamber"]);
    expect(mended.critiques.map(({ id }) => id)).toEqual(["K1", "K2"]);
  });
  test("a critique of a claim that nobody makes is struck", () => {
    const { codes, mended } = checked(message("NLA", [...three, critique({ id: "K4", target_claim_id: "C9" })]));
    expect(codes).toEqual(["unknown_claim"]);
    expect(mended.critiques).toHaveLength(3);
  });
  test("from round 2 on there is no minimum, and every earlier critique gets a verdict", () => {
    const { codes } = checked({ ...message("NLA", []), round: 2 }, second);
    expect(codes).toEqual(["no_verdict"]);
  });
  test("a verdict on a critique of someone else is struck", () => {
    const verdicts = ["K1", "K7"].map((critique_id) => ({ critique_id, verdict: "upheld" as const, reason: "Tetap." }));
    const { codes, mended } = checked({ ...message("NLA", [], verdicts), round: 2 }, second);
    expect(codes).toEqual(["unknown_critique"]);
    expect(mended.verdicts).toHaveLength(1);
  });
  test("an id of an earlier round is not used again", () => {
    const verdicts = [{ critique_id: "K1", verdict: "upheld" as const, reason: "Tetap." }];
    const { codes, mended } = checked({ ...message("NLA", [critique()], verdicts), round: 2 }, second);
    expect(codes).toEqual(["duplicate_critique_id"]);
    expect(mended.critiques[0]?.id).toBe("K2");
  });
  test("an answer without claims is no echo chamber: there is nothing to criticise", () => {
    expect(checked(message("NLA", []), { ...input, target: output("ALA", { claims: [] }) }).codes).toEqual([]);
  });
});
