import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Critique, Severity } from "../schemas/critique-message.ts";
import { IssueTypeSchema, SeveritySchema } from "../schemas/critique-message.ts";
import type { Round } from "../schemas/round.ts";
import { LawConfigSchema } from "../config.ts";
import { converged } from "./converged.ts";
import { claim, critique, message, output, response } from "../../../../test/support/law-fixture.ts";
import { escalationReasons } from "./escalation-reasons.ts";

const rewritten = {
  answer: "Sama sekali lain.",
  claims: [claim({ statement: "Pernyataan baru tentang hal berbeda." })],
};

/** A debate of two rounds with these critiques of NLA, of which the first `closed` are accepted and changed for. */
function debate(critiques: Critique[], closed: number, stable: boolean): Round[] {
  const responses = critiques.slice(0, closed).map(({ id }) => response({ critique_id: id }));
  const claims = critiques.map((one, index) =>
    claim({ id: one.target_claim_id ?? "", statement: `Klaim nomor ${index}` }),
  );
  const after = claims.map((one, index) => (index < closed ? { ...one, assumptions: ["Syarat."] } : one));
  return [
    { round: 1, nla: output("NLA", { claims }), ala: output("ALA"), ala_on_nla: message("ALA", critiques) },
    {
      round: 2,
      nla: output("NLA", { round: 2, claims: after, responses, ...(stable ? {} : { answer: rewritten.answer }) }),
      ala: output("ALA", { round: 2, ...(stable ? {} : rewritten) }),
    },
  ];
}

/** Two rounds under two open MAJOR critiques in which so many of NLA's words change, and none of ALA's. */
function changedBy(changed: number, words: number): Round[] {
  const critiques = raise("logic_gap", "MAJOR", "MAJOR");
  const write = (round: number) => ({
    answer: Array.from({ length: words }, (_, index) => `w${index}r${index < changed ? round : 0}`).join(" "),
    claims: [],
  });
  return [
    { round: 1, nla: output("NLA", write(1)), ala: output("ALA"), ala_on_nla: message("ALA", critiques) },
    { round: 2, nla: output("NLA", { round: 2, ...write(2) }), ala: output("ALA", { round: 2 }) },
  ];
}

const raise = (issue_type: Critique["issue_type"], ...severities: Severity[]): Critique[] =>
  severities.map((severity, index) =>
    critique({ id: `K${index}`, target_claim_id: `C${index}`, issue_type, severity }),
  );

describe("convergence (law spec §4)", () => {
  test("1: at most one open MAJOR ends the debate", () => {
    const { met, condition, numbers } = converged(debate(raise("overclaim", "MAJOR"), 0, false));
    expect({ met, condition }).toEqual({ met: true, condition: 1 });
    expect(numbers).toMatchObject({ round: 2, open_critical: 0, open_major: 1 });
  });
  test("2: domain conflicts were raised and none is open", () => {
    const critiques = [...raise("conflict", "MAJOR"), ...raise("logic_gap", "MAJOR", "MAJOR", "MAJOR").slice(1)];
    expect(converged(debate(critiques, 1, false))).toMatchObject({
      condition: 2,
      numbers: { domain_conflicts_raised: 1, domain_conflicts_open: 0, open_major: 2 },
    });
  });
  test("2: no domain conflict was ever raised: this condition does not hold", () => {
    expect(converged(debate(raise("logic_gap", "MAJOR", "MAJOR"), 0, false)).met).toBe(false);
  });
  test("2: a MINOR conflict is no domain conflict", () => {
    const critiques = [...raise("conflict", "MINOR"), ...raise("logic_gap", "MAJOR", "MAJOR", "MAJOR").slice(1)];
    expect(converged(debate(critiques, 1, false)).met).toBe(false);
  });
  test("3: both answers changed less than 15 %", () => {
    const result = converged(debate(raise("logic_gap", "MAJOR", "MAJOR"), 0, true));
    expect(result).toMatchObject({ condition: 3, numbers: { answer_change: 0 } });
  });
  test.each([
    [14, true],
    [15, false],
    [16, false],
  ])("3: a change of %i of 100 words is stable: %s", (changed, met) => {
    expect(converged(changedBy(changed, 100))).toMatchObject({
      met,
      numbers: { answer_change: expect.closeTo(changed / 100, 9) },
    });
    expect(converged(changedBy(changed, 100), LawConfigSchema.parse({})).met).toBe(met);
  });
  test("3: a change of exactly the threshold is not stable", () => {
    expect(converged(changedBy(1, 4), { stability: { threshold: 0.25 } })).toMatchObject({
      met: false,
      numbers: { answer_change: 0.25 },
    });
    expect(converged(changedBy(1, 4), { stability: { threshold: 0.26 } }).condition).toBe(3);
  });
  test("3: before the planned rounds are over, stable answers do not end the debate; 1 and 2 do", () => {
    const stable = debate(raise("logic_gap", "MAJOR", "MAJOR"), 0, true);
    expect(converged(stable, { rounds: 2 }).condition).toBe(3);
    expect(converged(stable, { rounds: 3 })).toMatchObject({ met: false, numbers: { round: 2, answer_change: 0 } });
    const third = stable.map(({ nla, ala }) => ({ round: 3, nla, ala })).slice(1);
    expect(converged([...stable, ...third], { rounds: 3 }).condition).toBe(3);
    expect(converged(debate(raise("logic_gap", "MAJOR"), 0, true), { rounds: 3 }).condition).toBe(1);
    const conflicts = [...raise("conflict", "MAJOR"), ...raise("logic_gap", "MAJOR", "MAJOR", "MAJOR").slice(1)];
    expect(converged(debate(conflicts, 1, true), { rounds: 3 }).condition).toBe(2);
  });
  test("3: the larger of the two changes counts", () => {
    const rounds = debate(raise("logic_gap", "MAJOR", "MAJOR"), 0, true);
    const [, second] = rounds;
    if (second) second.ala = output("ALA", { round: 2, ...rewritten });
    const { met, numbers } = converged(rounds);
    expect(met).toBe(false);
    expect(numbers.answer_change).toBe(numbers.answer_change_ala);
  });
  test("round 1 never converges: every debate has a revision", () => {
    const rounds = debate([], 0, true).slice(0, 1);
    expect(converged(rounds)).toMatchObject({ met: false, condition: null, numbers: { answer_change: null } });
  });
  test("an open CRITICAL blocks all three conditions", () => {
    expect(converged(debate(raise("logic_gap", "CRITICAL"), 0, true))).toMatchObject({ met: false, condition: null });
  });
});

const anyCritiques = fc
  .array(
    fc.record({
      issue: fc.constantFrom(...IssueTypeSchema.options),
      severity: fc.constantFrom(...SeveritySchema.options),
    }),
    {
      maxLength: 6,
    },
  )
  .map((list) =>
    list.map(({ issue, severity }, index) =>
      critique({ id: `K${index}`, target_claim_id: `C${index}`, issue_type: issue, severity }),
    ),
  );
const anyDebate = fc
  .tuple(anyCritiques, fc.nat(6), fc.boolean())
  .map(([critiques, closed, stable]) => debate(critiques, closed, stable));

describe("whatever the debate", () => {
  test("an open CRITICAL blocks convergence", () => {
    fc.assert(
      fc.property(anyDebate, (rounds) => {
        const { met, numbers } = converged(rounds);
        if (numbers.open_critical > 0) expect(met).toBe(false);
      }),
    );
  });
  test("met and condition say the same", () => {
    fc.assert(
      fc.property(anyDebate, (rounds) => {
        const { met, condition } = converged(rounds);
        expect(met).toBe(condition !== null);
      }),
    );
  });
  test("closing one more critique never undoes convergence by conditions 1 and 2", () => {
    fc.assert(
      fc.property(anyCritiques, fc.nat(5), (critiques, closed) => {
        const fewer = converged(debate(critiques, closed, false));
        const more = converged(debate(critiques, closed + 1, false));
        if (fewer.condition === 1) expect(more.met).toBe(true);
      }),
    );
  });
  test("a debate that converged is never escalated for not converging", () => {
    fc.assert(
      fc.property(anyDebate, (rounds) => {
        const codes = escalationReasons(rounds, { max_rounds: 2 }).map(({ code }) => code);
        expect(codes.includes("not_converged_after_max_rounds")).toBe(!converged(rounds).met);
      }),
    );
  });
});
