import { expect, test } from "vitest";
import { noUsage } from "../src/contract/usage.ts";
import type { Player } from "../src/engine/player.ts";
import type { AgentOutput, CritiqueMessage, LawDecision } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { holdDebate, measureInfluence, type Staging } from "./support/influence.ts";

/**
 * The joints of a law debate (law spec §4.6): the places through which what is said reaches what is decided. Each test
 * holds a whole debate of experts, changes what one speaker says, and lets everybody answer what they now hear.
 */
const query =
  "Di Bali orang tua menghibahkan tanah secara lisan. Menurut adat cukup, tetapi saudaranya berkata hibah tanpa akta notaris batal menurut KUHPerdata. Mana yang benar?";
const gift: Staging = { pack: law, input: { query } };

type Rewrite = (said: never) => unknown;

/** The experts, except that what a role says in a round (`role/round`) is rewritten; null is silence. */
function stage(script: Record<string, Rewrite>, over: Partial<Staging> = {}): Staging {
  const player: Player = {
    id: "experts, rewritten",
    async play(role, input, { key }) {
      const said: unknown = await role.expert?.(input);
      const rewrite = script[`${key.role}/${key.round}`];
      const value = rewrite ? rewrite(structuredClone(said) as never) : said;
      return { reply: { value }, usage: noUsage, finish: null, final: true };
    },
  };
  return { ...gift, ...over, cast: () => () => player };
}

/** What is decided when these speakers say something else. */
async function decide(script: Record<string, Rewrite>, over: Partial<Staging> = {}) {
  const { result } = await holdDebate(stage(script, over));
  return { outcome: result.outcome, reasons: result.reasons, decision: result.decision as LawDecision };
}
const findCritique = ({ summary }: LawDecision, issue: string) =>
  summary?.critiques.find(({ critique }) => critique.agent === "NLA" && critique.issue_type === issue);
const say = (verdict: "upheld" | "withdrawn") => (message: CritiqueMessage) => ({
  ...message,
  verdicts: message.verdicts.map((one) => ({ ...one, verdict, reason: "Demikian penilaian kami." })),
});
const mute = (answer: AgentOutput) => ({ ...answer, claims: [], answer: "Tidak ada yang diketahui tentang hal ini." });
const inSeverity = (severity: "CRITICAL" | "MAJOR") => (message: CritiqueMessage) => ({
  ...message,
  critiques: message.critiques.map((one) => (one.issue_type === "conflict" ? { ...one, severity } : one)),
});

test("a dropped claim: without adat's claims national law decides, without national ones adat does", async () => {
  expect((await decide({})).decision.position).toBe("C");
  expect((await decide({ "ala/1": mute })).decision.position).toBe("A");
  expect((await decide({ "nla/1": mute })).decision.position).toBe("B");
});

test("a withdrawn claim: what an agent takes back in its revision is no longer decided on", async () => {
  const { decision } = await decide({ "ala/2": mute });
  expect(decision.position).toBe("A");
  expect(decision.used_claims.some((name) => name.startsWith("ALA:"))).toBe(false);
});

test("a rejected critique waits for its critic: a clash that both critics let rest no longer decides, one that is upheld does", async () => {
  const [rest, upheld] = [
    await decide({ "nla_critic/2": say("withdrawn"), "ala_critic/2": say("withdrawn") }),
    await decide({}),
  ];
  expect(findCritique(rest.decision, "conflict")?.status).toBe("withdrawn");
  expect(rest.decision.reasons.join(" ")).not.toMatch(/menjawab berbeda/);
  expect(findCritique(upheld.decision, "conflict")?.status).toBe("finding");
  expect(upheld.decision).toMatchObject({ position: "C", needs_human_review: false });
  expect(upheld.decision.reasons.join(" ")).toMatch(/menjawab berbeda/);
  const target = `ALA:${findCritique(upheld.decision, "conflict")?.critique.target_claim_id}`;
  const names = (claims: { claim: string }[] = []) => claims.map(({ claim }) => claim);
  expect(names(upheld.decision.summary?.disputed_claims)).toContain(target);
  expect(names(upheld.decision.summary?.agreed_claims)).not.toContain(target);
});

test("an upheld critique whose target answers it on nothing that bears is open, and the claim is not decided on", async () => {
  const evade = (answer: AgentOutput) => ({
    ...answer,
    responses: answer.responses.map((one) =>
      one.response === "rejected" ? { ...one, evidence: ["NAT-UUD-18B2"] } : one,
    ),
  });
  const uphold = { "nla_critic/2": say("upheld"), "nla_critic/3": say("upheld") };
  const { decision } = await decide({ "ala/2": evade, "ala/3": evade, ...uphold });
  const target = `ALA:${findCritique(decision, "conflict")?.critique.target_claim_id}`;
  expect(findCritique(decision, "conflict")).toMatchObject({ status: "open" });
  expect(decision.used_claims).not.toContain(target);
});

test("an upheld CRITICAL critique whose target does not give way goes to a person", async () => {
  const raised = { "nla_critic/1": inSeverity("CRITICAL") };
  const upheld = { ...raised, "nla_critic/2": say("upheld"), "nla_critic/3": say("upheld") };
  expect((await decide({ ...raised, "nla_critic/2": say("withdrawn") })).outcome).toBe("decided");
  const { outcome, reasons } = await decide(upheld);
  expect(outcome).toBe("escalated");
  expect(reasons).toContain("critical_norm_conflict");
});

test("a rejection on evidence that does not bear on the critique is no answer: the critique stays open", async () => {
  const evade = (answer: AgentOutput) => ({
    ...answer,
    responses: answer.responses.map((one) =>
      one.response === "rejected" ? { ...one, evidence: ["NAT-UUD-18B2"] } : one,
    ),
  });
  const { decision } = await decide({ "ala/2": evade, "nla_critic/2": () => null });
  expect(findCritique(decision, "conflict")).toMatchObject({ status: "open" });
  expect(decision.summary?.faults.map(({ code }) => code)).toContain("idle_evidence");
});

test("a silent critic is asked twice; then nobody has checked the other side, and a person must look", async () => {
  const { outcome, reasons, decision } = await decide({ "ala_critic/1": () => null });
  expect(outcome).toBe("escalated");
  expect(reasons).toContain("unchecked_claims");
  expect(decision.summary?.faults.map(({ code }) => code)).toContain("no_critique");
});

test("an omission: what a critic brings reaches the other side's claims, and without the critic it does not", async () => {
  const bring = (message: CritiqueMessage) => ({
    ...message,
    critiques: [
      ...message.critiques,
      {
        id: "K9",
        target_claim_id: null,
        description: "Tidak disebut: pengakuan hukum nasional atas desa adat dan kewenangannya.",
        evidence: ["NAT-UU48-5"],
        issue_type: "logic_gap",
        severity: "MAJOR",
        suggested_fix: "Tambahkan dasar pengakuannya.",
      },
    ],
  });
  const cites = ({ rounds }: LawDecision) =>
    rounds.at(-1)?.ala.claims.some(({ evidence }) => evidence.includes("NAT-UU48-5"));
  const [without, brought] = [await decide({}), await decide({ "nla_critic/1": bring })];
  expect([cites(without.decision), cites(brought.decision)]).toEqual([false, true]);
  const omission = brought.decision.summary?.critiques.find(({ critique }) => critique.target_claim_id === null);
  expect(omission?.status).toBe("accepted");
});

test("an omission that brings no evidence is struck", async () => {
  const bare = (message: CritiqueMessage) => ({
    ...message,
    critiques: message.critiques.map((one, index) =>
      index === 0 ? { ...one, target_claim_id: null, evidence: [] } : one,
    ),
  });
  const { decision } = await decide({ "nla_critic/1": bare });
  expect(decision.summary?.faults.map(({ code }) => code)).toContain("no_evidence");
});

test("an irrelevant turn changes nothing: the same claims in another answer", async () => {
  const { turns } = await holdDebate(gift);
  const answer = turns.find(({ key }) => key.role === "ala" && key.round === 1)?.reply as AgentOutput;
  const { changed } = await measureInfluence(gift, {
    turn: "1/answer/ala",
    say: { ...answer, answer: `Ringkasnya: ${answer.answer}` },
  });
  expect(changed).toBe(false);
});
