import fc, { type GeneratorValue } from "fast-check";
import { expect, test } from "vitest";
import { holdDebate } from "../../../../test/support/influence.ts";
import {
  adatItem,
  claim,
  critique,
  item,
  material,
  message,
  output,
  round,
} from "../../../../test/support/law-fixture.ts";
import { noUsage } from "../../../contract/budget.ts";
import type { Player } from "../../../engine/player.ts";
import { law } from "../pack.ts";
import { claimOf, type LawDecision, outputOf, type Round } from "../schemas/decision.ts";
import {
  type Agent,
  type Claim,
  type Critique,
  type CritiqueVerdict,
  opponentOf,
  type Response,
  type Supervision,
} from "../schemas/messages.ts";
import { listClaims, listDropped, listUnchecked, selectOn } from "./claims.ts";
import { critiqueStatus, isSerious, listRaised } from "./critique-status.ts";
import { summariseDebate } from "./debate-summary.ts";
import { escalationReasons } from "./debate-summary.ts";
import { concludeDebate } from "./position.ts";

const config = { max_rounds: 3 };
const agents: Agent[] = ["NLA", "ALA"];
const sources = { NLA: "NAT-KUHPER-852", ALA: "ADT-MIN-02" };
const statements = {
  NLA: ["Anak mewaris bagian yang sama.", "Pasangan yang hidup terlama ikut mewaris.", "Utang dibayar lebih dahulu."],
  ALA: ["Kemenakan mewarisi pusaka tinggi.", "Tanah kaum tidak dijual.", "Mamak mengelola harta kaum."],
};

const reworded = "Sepanjang disepakati.";
const quiet = material({
  route: { ...material().route, scores: { national: 1, adat: 1, conflict: 0 } },
  evidence: [
    item({ statement: [...statements.NLA, reworded].join(" ") }),
    { ...adatItem, statement: [...statements.ALA, reworded].join(" ") },
  ],
});

/** Draws one of a list; what comes first is what a counterexample is shrunk to. */
const draw = <T>(g: GeneratorValue, ...values: T[]): T => g(fc.constantFrom<T[]>, ...values);
const chance = (g: GeneratorValue, percent: number): boolean => g(fc.integer, { min: 0, max: 99 }) >= 100 - percent;

function drawCritique(g: GeneratorValue, id: string, claims: Claim[]): Critique {
  return critique({
    id,
    target_claim_id: draw(g, ...claims.map((one) => one.id), null),
    issue_type: draw(g, "logic_gap", "evidence_gap", "conflict", "domain_mismatch", "overclaim"),
    severity: draw(g, "MINOR", "MINOR", "MINOR", "MAJOR", "CRITICAL"),
    evidence: draw<string[]>(g, [], [sources.NLA], [sources.ALA]),
    description: draw(
      g,
      "Melebihi sumbernya.",
      ...claims.map(({ statement }) => `Tidak dikatakan sumbernya: ${statement}`),
    ),
  });
}

/** The claims of a side in a round: mostly those of the round before, some reworded, some gone. */
function drawClaims(g: GeneratorValue, agent: Agent, before: Claim[] | null): Claim[] {
  if (!before)
    return statements[agent].slice(0, g(fc.integer, { min: 1, max: 3 })).map((statement, at) => {
      const isBare = chance(g, 5);
      const evidence = isBare ? [] : [sources[agent]];
      return claim({ id: `C${at + 1}`, statement, evidence, ...(isBare ? { risk: "no_evidence" as const } : {}) });
    });
  return before
    .filter(() => !chance(g, 6))
    .map((one) => (chance(g, 15) ? { ...one, statement: `${one.statement} ${reworded}` } : one));
}

function drawResponses(g: GeneratorValue, agent: Agent, rounds: Round[]): Response[] {
  return listRaised(rounds)
    .filter(({ target }) => target === agent)
    .filter(() => chance(g, 80))
    .map(({ id }) => ({
      critique_id: id,
      response: draw(g, "accepted", "rejected"),
      reason: "Sebab.",
      evidence: draw<string[]>(g, [sources[agent]], []),
    }));
}

function drawVerdicts(g: GeneratorValue, agent: Agent, rounds: Round[]): CritiqueVerdict[] {
  return listRaised(rounds)
    .filter((one) => one.agent === agent && chance(g, 80))
    .map(({ id }) => ({ critique_id: id, verdict: draw(g, "withdrawn", "upheld"), reason: "Demikian." }));
}

/** A random debate of two or three rounds whose critics have checked in round 1. */
function drawDebate(g: GeneratorValue): Round[] {
  const rounds: Round[] = [];
  const last = draw(g, 2, 3);
  for (let n = 1; n <= last; n += 1) {
    const before = rounds.at(-1);
    const speak = (agent: Agent) =>
      output(agent, {
        round: n,
        claims: drawClaims(g, agent, before ? outputOf(before, agent).claims : null),
        responses: drawResponses(g, agent, rounds),
      });
    const [nla, ala] = [speak("NLA"), speak("ALA")];
    const criticise = (agent: Agent) => {
      const { claims } = agent === "NLA" ? ala : nla;
      const count = n === 1 ? draw(g, 1, 2, 3) : chance(g, 25) ? 1 : 0;
      const raised = Array.from({ length: count }, (_, at) => drawCritique(g, `K${10 * n + at}`, claims));
      const cleared = n === 1 || chance(g, 75) ? claims.map(({ id }) => id) : [];
      return message(agent, raised, { round: n, verdicts: drawVerdicts(g, agent, rounds), cleared });
    };
    rounds.push(round(n, { nla, ala, nla_on_ala: criticise("NLA"), ala_on_nla: criticise("ALA") }));
  }
  return rounds;
}

const codesOf = (rounds: Round[]): string[] => escalationReasons(rounds, config, quiet).map(({ code }) => code);

test("the random debates are of all kinds: decided and escalated, with and without dropped claims", () => {
  const drawn = fc.sample(fc.gen(), { numRuns: 400, seed: 1 }).map(drawDebate);
  const decided = drawn.filter((rounds) => codesOf(rounds).length === 0).length;
  const dropped = drawn.filter((rounds) => listDropped(rounds, critiqueStatus(rounds)).length > 0).length;
  expect([decided > 20, decided < 360, dropped > 40, dropped < 360]).toEqual([true, true, true, true]);
});

test("adding a critique never lowers the number of people called", () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const rounds = drawDebate(g);
      const place = g(fc.integer, { min: 0, max: rounds.length - 1 });
      const critic = draw(g, ...agents);
      const target = opponentOf(critic);
      const unchecked = listUnchecked(rounds).map(({ claim: name }) => name);
      const last = rounds.at(-1) as Round;
      // A critique of a claim that nobody had checked is its check, and takes that reason away.
      const checked = outputOf(rounds[place] as Round, target).claims.filter(
        ({ id }) => claimOf(outputOf(last, target), id) && !unchecked.includes(`${target}:${id}`),
      );
      const added = drawCritique(g, "K99", checked);
      const key = critic === "NLA" ? "nla_on_ala" : "ala_on_nla";
      const more = rounds.map((one, at) => {
        const said = one[key];
        return at === place && said ? { ...one, [key]: { ...said, critiques: [...said.critiques, added] } } : one;
      });
      const [few, many] = [codesOf(rounds), codesOf(more)];
      // What a dropped claim would have led to may now be said by the critique itself.
      expect(many).toEqual(expect.arrayContaining(few.filter((code) => code !== "claims_dropped")));
      if (few.length > 0) expect(many).not.toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("removing a claim is never cheaper than defending it", () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const kept = drawDebate(g);
      const [before, last] = kept.slice(-2) as [Round, Round];
      fc.pre(listDropped(kept, critiqueStatus(kept)).length === 0);
      const stable = listClaims(last).filter(
        ({ agent, id, statement }) => claimOf(outputOf(before, agent), id)?.statement === statement,
      );
      fc.pre(stable.length > 0);
      const gone = draw(g, ...stable);
      const key = gone.agent === "NLA" ? "nla" : "ala";
      const left = last[key].claims.filter(({ id }) => id !== gone.id);
      const removed = [...kept.slice(0, -1), { ...last, [key]: { ...last[key], claims: left } }];
      const [old] = listDropped(removed, critiqueStatus(removed));
      if (!old) return;
      const accepted = selectOn(critiqueStatus(removed), gone).filter(({ status }) => status === "accepted");
      if (old.conceded) {
        expect(accepted.some((one) => isSerious(one) && one.critique.evidence.length > 0)).toBe(true);
        return;
      }
      const summary = summariseDebate("?", quiet, removed, config);
      const conclude = (rounds: Round[]) => concludeDebate(quiet, rounds, critiqueStatus(rounds)).position;
      expect(summary.faults.map(({ code }) => code)).toContain("dropped_unconceded");
      if (codesOf(kept).length > 0 || conclude(kept) !== conclude(removed)) expect(summary.reasons).not.toEqual([]);
    }),
    { numRuns: 400 },
  );
});

const query =
  "Menurut adat Minangkabau harta pusako tinggi menjadi milik kaum, tetapi anaknya berkata menurut KUHPerdata anak mewaris sama besar. Hukum mana yang berlaku untuk warisannya?";

/** The programs, each of whose replies is changed at random (not with seed 0), and a supervisor who says what it is told to. */
function createDisturbed(seed: number, supervise: (said: Supervision) => unknown): Player {
  const isChosen = (text: string, percent: number): boolean => {
    let hash = seed * 2_654_435_761;
    for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
    return ((hash >>> 8) % 100) + 1 <= percent;
  };
  const disturb = (said: Record<string, unknown>, at: string): unknown => {
    const lists = ["claims", "critiques", "responses", "verdicts", "cleared"] as const;
    const kept = lists.flatMap((list) => {
      const items = said[list];
      return Array.isArray(items)
        ? [[list, items.filter((_, index) => !isChosen(`${at}${list}${index}`, seed === 0 ? 0 : 15))]]
        : [];
    });
    return { ...said, ...Object.fromEntries(kept) };
  };
  return {
    id: "experts, disturbed",
    async play(role, input, { key }) {
      const said = (await role.expert?.(input)) as Record<string, unknown>;
      const value =
        key.role === "sup" ? supervise(said as Supervision) : disturb(said, `${key.role}${key.round}${key.step}`);
      return { reply: { value }, usage: noUsage, finish: null, final: true };
    },
  };
}

test("the decision is the same function of the surviving claims whoever supervises", async () => {
  const supervisors: ((said: Supervision) => unknown)[] = [
    (said) => said,
    () => ({ position: "A" }),
    ...(["A", "B", "C", "D", "E"] as const).map((position) => (said: Supervision) => ({
      ...said,
      position,
      needs_human_review: false,
    })),
    (said) => ({ ...said, used_claims: ["ALA:C1"], needs_human_review: false }),
  ];
  const positions = new Set<string>();
  for (let seed = 0; seed <= 6; seed += 1) {
    const decisions: LawDecision[] = [];
    for (const supervise of supervisors) {
      const { result } = await holdDebate({
        pack: law,
        input: { query },
        cast: () => () => createDisturbed(seed, supervise),
      });
      decisions.push(result.decision as LawDecision);
    }
    const [first] = decisions as [LawDecision];
    positions.add(first.position);
    for (const decision of decisions) {
      expect([decision.position, decision.used_claims]).toEqual([first.position, first.used_claims]);
      const isMoved = decision.supervisor_position !== null && decision.supervisor_position !== decision.position;
      const codes = decision.review_reasons.map(({ code }) => code);
      if (isMoved) expect(codes).toContain("supervisor_disagrees");
      expect(codes).toEqual(expect.arrayContaining((decision.summary?.reasons ?? []).map(({ code }) => code)));
      expect(decision.needs_human_review).toBe(codes.length > 0);
    }
  }
  expect(positions.size).toBeGreaterThan(1);
});
