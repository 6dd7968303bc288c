import { Abstained } from "../../contract/error.ts";
import type { Debate } from "../../engine/debate.ts";
import type { Given, Protocol, Verdict } from "../../engine/pack.ts";
import type { LawConfig } from "./config.ts";
import { composeDecision, composeSolo } from "./decision.ts";
import { type LawRoles, selectSide } from "./roles/create-roles.ts";
import { agents, listChanged } from "./rules/claims.ts";
import { converged, hasUnanswered } from "./rules/converged.ts";
import { critiqueStatus, isUnsettled, listRaised, type RaisedCritique } from "./rules/critique-status.ts";
import { summariseDebate } from "./rules/debate-summary.ts";
import { resolveIds } from "./rules/evidence.ts";
import { makeIdsDistinct } from "./rules/checks.ts";
import { isEchoChamber } from "./rules/role-checks.ts";
import type { AgentInput, CriticInput } from "./rules/role-inputs.ts";
import { type LawDecision, outputOf, type Round } from "./schemas/decision.ts";
import type { LawInput, Material } from "./schemas/material.ts";
import { type Agent, type AgentOutput, type CritiqueMessage, opponentOf } from "./schemas/messages.ts";

type Held = Given<LawInput, Material> & { debate: Debate; roles: LawRoles; config: LawConfig };

/** Answers, cross critique, revisions until the debate converges, and a supervisor who words the result (law spec §4 and §5). */
export function createProtocol(roles: LawRoles): Protocol<LawInput, LawConfig, LawDecision, Material> {
  return async (debate, { input, material }, config) => {
    const held: Held = { debate, roles, input, material, config };
    debate.note("route", material.route);
    if (config.protocol !== "debate") return holdControl(held);
    const rounds: Round[] = [];
    while (goesOn(held, rounds)) rounds.push(await holdRound(held, rounds));
    return conclude(held, rounds);
  };
}

function goesOn({ config, debate }: Held, rounds: Round[]): boolean {
  if (rounds.length >= (config.rounds > 1 && config.critique ? config.max_rounds : 1)) return false;
  if (rounds.length < 2) return true;
  const convergence = converged(rounds, config);
  debate.note("convergence", convergence);
  return !convergence.met || hasUnanswered(rounds);
}

async function holdRound(held: Held, before: Round[]): Promise<Round> {
  const { debate, config, input, material } = held;
  const n = before.length + 1;
  return debate.round(n, async () => {
    const [nla, ala] = await speak(held, before, n);
    const spoken: Round = { round: n, nla, ala, nla_on_ala: null, ala_on_nla: null };
    const round = config.critique ? { ...spoken, ...(await criticise(held, before, spoken)) } : spoken;
    const rounds = [...before, round];
    debate.standing(() => {
      const summary = summariseDebate(input.query, material, rounds, config);
      return composeDecision(input.query, material, rounds, summary, null, "provisional");
    });
    return round;
  });
}

async function speak(held: Held, before: Round[], n: number): Promise<[AgentOutput, AgentOutput]> {
  const { debate, roles, material } = held;
  const briefs = [briefAgent(held, "NLA", before), briefAgent(held, "ALA", before)] as const;
  const asked = briefs.filter(({ critiques }) => n === 1 || critiques.length > 0);
  const speakers = asked.map(({ agent }) => roles.agents[agent]);
  const answers = await debate.askAll(n === 1 ? "answer" : "revise", speakers, (_, at) => asked[at] as AgentInput);
  const take = (brief: AgentInput): AgentOutput => {
    const { previous, agent } = brief;
    if (previous && !asked.includes(brief)) return { ...previous, round: n, responses: [], faults: [] };
    const { name } = roles.agents[agent];
    const reply = answers.find(({ role }) => role === name)?.reply;
    if (!reply) throw new Abstained(name, "a law debate needs both agents");
    return stabiliseOutput(material, reply);
  };
  return [take(briefs[0]), take(briefs[1])];
}

type Case = Pick<Held, "input" | "material">;

export function briefAgent({ input, material }: Case, agent: Agent, before: Round[]): AgentInput {
  const last = before.at(-1);
  return {
    query: input.query,
    material: selectSide(material, agent, before),
    agent,
    round: before.length + 1,
    previous: last ? outputOf(last, agent) : null,
    critiques: listUnsettled(agent, before),
    said: before,
  };
}

type Criticism = Pick<Round, "nla_on_ala" | "ala_on_nla" | "silent">;

/** Cross critique; a critic who checked nothing is asked once more, one with nothing to judge is not asked (law spec §4.4). */
async function criticise(held: Held, before: Round[], round: Round): Promise<Criticism> {
  const { debate, roles, material } = held;
  const briefs = agents
    .map((agent) => briefCritic(held, agent, before, round))
    .filter(({ earlier, changed }) => round.round === 1 || earlier.length + changed.length > 0);
  const critics = briefs.map(({ agent }) => roles.critics[agent]);
  const answers = await debate.askAll("critique", critics, (_, at) => briefs[at] as CriticInput);
  const take = async (brief: CriticInput): Promise<CritiqueMessage | null> => {
    const critic = roles.critics[brief.agent];
    const first = answers.find(({ role }) => role === critic.name)?.reply ?? null;
    const reply = isSilent(first, brief) ? ((await debate.tryAsk(critic, brief, "critique-again")) ?? first) : first;
    return reply && stabiliseCritique(material, reply, brief, before);
  };
  return collectCriticism(briefs, await Promise.all(briefs.map(take)));
}

export function collectCriticism(briefs: CriticInput[], messages: (CritiqueMessage | null)[]): Criticism {
  const find = (agent: Agent): CritiqueMessage | null => messages.find((one) => one?.agent === agent) ?? null;
  const silent = briefs.filter((brief, at) => isSilent(messages[at] ?? null, brief)).map(({ agent }) => agent);
  return { nla_on_ala: find("NLA"), ala_on_nla: find("ALA"), ...(silent.length > 0 ? { silent } : {}) };
}

function isSilent(message: CritiqueMessage | null, { target, round }: CriticInput): boolean {
  if (target.claims.length === 0) return false;
  return !message || (round === 1 && message.critiques.every((one) => one.ungrounded) && message.cleared.length === 0);
}

export function briefCritic({ input, material }: Case, agent: Agent, before: Round[], round: Round): CriticInput {
  const target = outputOf(round, opponentOf(agent));
  const earlier = listUnsettled(target.agent, before).map((critique) => ({
    critique,
    response: target.responses.find(({ critique_id }) => critique_id === critique.id) ?? null,
  }));
  const said = [...before, round];
  const changed = before.length > 0 ? listChanged(before.at(-1), round, target.agent) : [];
  return {
    query: input.query,
    material: selectSide(material, agent, said, true),
    agent,
    round: round.round,
    own: outputOf(round, agent),
    target,
    said,
    earlier,
    changed,
  };
}

export function listUnsettled(agent: Agent, rounds: Round[]): RaisedCritique[] {
  return critiqueStatus(rounds)
    .filter((one) => isUnsettled(one) && one.critique.target === agent)
    .map(({ critique }) => critique);
}

export function stabiliseOutput(material: Material, output: AgentOutput): AgentOutput {
  const resolve = <T extends { evidence: string[] }>(one: T): T => ({
    ...one,
    evidence: resolveIds(material, one.evidence),
  });
  return { ...output, claims: output.claims.map(resolve), responses: output.responses.map(resolve) };
}

export function stabiliseCritique(
  material: Material,
  message: CritiqueMessage,
  brief: CriticInput,
  before: Round[],
): CritiqueMessage {
  const taken = listRaised(before)
    .filter(({ agent }) => agent === message.agent)
    .map(({ id }) => id);
  const critiques = makeIdsDistinct(
    message.critiques.map((one) => ({ ...one, evidence: resolveIds(material, one.evidence) })),
    "K",
    taken,
  );
  return { ...message, critiques, ...(isEchoChamber(critiques, brief) ? { echo_chamber: true } : {}) };
}

async function conclude(
  { debate, roles, input, material, config }: Held,
  rounds: Round[],
): Promise<Verdict<LawDecision>> {
  const summary = summariseDebate(input.query, material, rounds, config);
  debate.note("escalation", summary.reasons);
  const { nla, ala } = rounds.at(-1) as Round;
  const supervision = await debate.tryAsk(roles.supervisor, { query: input.query, material, nla, ala, summary });
  const decidedBy = supervision ? "supervisor" : "rules";
  const decision = composeDecision(input.query, material, rounds, summary, supervision, decidedBy);
  return {
    outcome: decision.needs_human_review ? "escalated" : "decided",
    reasons: decision.review_reasons.map(({ message }) => message),
    decision,
  };
}

/** The control arms: one agent, or one agent asked several times and a vote (law spec §8.2). */
async function holdControl({ debate, roles, input, material, config }: Held): Promise<Verdict<LawDecision>> {
  const given = { query: input.query, material };
  const samples = Array.from({ length: config.samples }, (_, at) => `sample-${at + 1}`);
  const steps = config.protocol === "single" ? ["answer"] : samples;
  const answers = await debate.round(1, () => Promise.all(steps.map((step) => debate.tryAsk(roles.solo, given, step))));
  const votes = answers.flatMap((answer, at) => (answer ? [{ voter: steps[at] ?? "", answer }] : []));
  if (votes.length === 0) throw new Abstained(roles.solo.name, "nobody answered");
  const count = (position: string): number => votes.filter(({ answer }) => answer.position === position).length;
  const [chosen] = votes.toSorted((a, b) => count(b.answer.position) - count(a.answer.position)) as [
    (typeof votes)[number],
  ];
  const decidedBy = config.protocol === "single" ? "single" : "vote";
  const decision = composeSolo(input.query, material, chosen.answer, votes, decidedBy);
  return { outcome: "decided", reasons: [], decision };
}
