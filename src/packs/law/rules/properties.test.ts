import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claim, critique, material, message, output, round } from "../../../../test/support/law-fixture.ts";
import { composeDecision } from "../decision.ts";
import type { DebateSummary, Round } from "../schemas/decision.ts";
import type { AgentOutput, Claim, Critique, CritiqueMessage, Supervision } from "../schemas/messages.ts";
import { summariseDebate } from "./debate-summary.ts";
import { escalationReasons } from "./escalation-reasons.ts";

const file = material();
const statements = [
  "Anak mewaris bagian yang sama.",
  "Kemenakan mewarisi pusaka tinggi.",
  "Istri mendapat separuh harta bersama.",
  "Tanah kaum tidak dijual.",
];

const claims = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("C1", "C2", "C3"),
    statement: fc.constantFrom(...statements),
    evidence: fc.constantFrom<string[]>(["NAT-KUHPER-852"], ["ADT-MIN-02"], []),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);
const aClaim = (one: { id: string; statement: string; evidence: string[] }): Claim =>
  claim({ ...one, ...(one.evidence.length === 0 ? { risk: "no_evidence" } : {}) });
const aCritique = fc
  .record({
    id: fc.constantFrom("K1", "K2", "K3"),
    target_claim_id: fc.constantFrom("C1", "C2", "C3", null),
    issue_type: fc.constantFrom("evidence_gap", "logic_gap", "conflict", "domain_mismatch", "overclaim"),
    severity: fc.constantFrom("CRITICAL", "MAJOR", "MINOR"),
    evidence: fc.constantFrom<string[]>([], ["NAT-KUHPER-852"], ["ADT-MIN-02"]),
    ungrounded: fc.constantFrom(undefined, undefined, true),
  })
  .map((over) => critique(over as Partial<Critique>));
const critiques = fc.uniqueArray(aCritique, { selector: ({ id }) => id, minLength: 1, maxLength: 3 });
const responses = fc.uniqueArray(
  fc.record({
    critique_id: fc.constantFrom("K1", "K2", "K3"),
    response: fc.constantFrom("accepted", "rejected"),
    reason: fc.constant("Sebab."),
    evidence: fc.constantFrom<string[]>([], ["NAT-KUHPER-852"]),
  }),
  { selector: ({ critique_id }) => critique_id, maxLength: 3 },
);
const verdicts = fc.uniqueArray(
  fc.record({
    critique_id: fc.constantFrom("K1", "K2", "K3"),
    verdict: fc.constantFrom("upheld", "withdrawn"),
    reason: fc.constant("Demikian."),
  }),
  {
    selector: ({ critique_id }) => critique_id,
    maxLength: 3,
  },
);

/** A debate of two or three rounds whose critics have all spoken with substance in round 1. */
const debates = fc
  .array(
    fc.record({
      nla: claims,
      ala: claims,
      onAla: critiques,
      onNla: critiques,
      toNla: responses,
      toAla: responses,
      nlaSays: verdicts,
      alaSays: verdicts,
    }),
    { minLength: 2, maxLength: 3 },
  )
  .map((all) =>
    all.map((one, index): Round => {
      const n = index + 1;
      const ground = (list: Critique[]): Critique[] =>
        n === 1
          ? list.map((each, at) => (at === 0 ? { ...each, ungrounded: undefined } : each))
          : list.map((each) => ({ ...each, id: `${each.id}-${n}` }));
      const speak = (agent: "NLA" | "ALA", list: typeof one.nla, answers: typeof one.toNla): AgentOutput =>
        output(agent, {
          round: n,
          claims: list.map(aClaim),
          responses: n === 1 ? [] : answers,
        });
      const criticise = (agent: "NLA" | "ALA", list: Critique[], said: typeof one.nlaSays): CritiqueMessage =>
        message(agent, ground(list), { round: n, verdicts: n === 1 ? [] : said });
      return round(n, {
        nla: speak("NLA", one.nla, one.toNla),
        ala: speak("ALA", one.ala, one.toAla),
        nla_on_ala: criticise("NLA", one.onAla, one.nlaSays),
        ala_on_nla: criticise("ALA", one.onNla, one.alaSays),
      });
    }),
  );

const codes = (rounds: Round[]): string[] => escalationReasons(rounds, { max_rounds: 3 }, file).map(({ code }) => code);

describe("what nobody can buy", () => {
  test("adding a critique never lowers the number of people called", () => {
    fc.assert(
      fc.property(debates, aCritique, fc.boolean(), fc.nat(2), (rounds, added, byNla, at) => {
        const place = Math.min(at, rounds.length - 1);
        const key = byNla ? "nla_on_ala" : "ala_on_nla";
        const more = rounds.map((one, index) => {
          const said = one[key];
          return index === place && said
            ? { ...one, [key]: { ...said, critiques: [...said.critiques, { ...added, id: "K9" }] } }
            : one;
        });
        if (codes(rounds).length > 0) expect(codes(more)).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("removing a claim is never cheaper than defending it", () => {
    fc.assert(
      fc.property(debates, fc.boolean(), fc.nat(2), (rounds, ofNla, at) => {
        const last = rounds.at(-1) as Round;
        const key = ofNla ? "nla" : "ala";
        const before = rounds.map((one, index) =>
          index === rounds.length - 2 ? { ...one, [key]: { ...one[key], claims: last[key].claims } } : one,
        );
        const gone = last[key].claims[at % last[key].claims.length];
        const without = before.map((one, index) =>
          index === rounds.length - 1
            ? { ...one, [key]: { ...one[key], claims: last[key].claims.filter((each) => each !== gone) } }
            : one,
        );
        const [kept, dropped] = [before, without].map((all) => summariseDebate("?", file, all, {})) as [
          DebateSummary,
          DebateSummary,
        ];
        const old = dropped.dropped_claims.find(({ claim: name }) => name === `${key.toUpperCase()}:${gone?.id}`);
        if (kept.reasons.length > 0) expect(dropped.reasons).not.toEqual([]);
        if (!old || old.challenged) return;
        expect(dropped.faults.map(({ code }) => code)).toContain("dropped_unchallenged");
        if (kept.position.position !== dropped.position.position) expect(dropped.reasons).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("the decision is the same function of the standing claims whoever supervises", () => {
    const supervisions = fc.record({
      position: fc.constantFrom("A", "B", "C", "D", "E"),
      needs_human_review: fc.boolean(),
      used_claims: fc.constantFrom<string[]>([], ["NLA:C1"], ["ALA:C2"]),
    });
    fc.assert(
      fc.property(debates, supervisions, (rounds, over) => {
        const summary = summariseDebate("?", file, rounds, {});
        const said: Supervision = {
          used_claims: [],
          rejected_claims: [],
          applicable_regimes: [],
          reasons: [],
          dissent: null,
          position: "A",
          answer: "Begitu.",
          needs_human_review: false,
          disclaimer: "",
          ...(over as object),
        };
        const decision = composeDecision("?", file, rounds, summary, said, "supervisor");
        expect([decision.position, decision.used_claims]).toEqual([
          summary.position.position,
          summary.position.standing,
        ]);
        if (said.position !== decision.position) expect(decision.needs_human_review).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
