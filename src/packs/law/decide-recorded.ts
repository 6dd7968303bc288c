import { type CaseFile, type Evidence, openCase } from "../../knowledge/law/index.ts";
import { composeProvisional, type StandIn } from "./decision.ts";
import { agentChecks } from "./rules/checks/agent-checks.ts";
import { findAll, mendAll } from "./rules/checks/check.ts";
import { critiqueChecks } from "./rules/checks/critique-checks.ts";
import { findClaimContradictions } from "./rules/claim-contradictions.ts";
import { critiqueStatus, isUnsettled, type RaisedCritique } from "./rules/critique-status.ts";
import { summariseDebate } from "./rules/debate-summary.ts";
import type { AgentInput, CriticInput } from "./rules/role-inputs.ts";
import { stabiliseCritique, stabiliseOutput } from "./rules/stable-reply.ts";
import { type Agent, type AgentOutput, opponentOf } from "./schemas/agent-output.ts";
import type { CritiqueMessage } from "./schemas/critique-message.ts";
import type { LawDecision } from "./schemas/decision.ts";
import { critiqueOf, outputOf, type Round } from "./schemas/round.ts";
import type { RecordedDebate, RecordedMessage, RecordedOutput, RecordedRound } from "./recorded/read-recorded.ts";

/** What the speakers were given is not recorded: whatever this knowledge base has for the question may be meant. */
const widest = 100;

/** What the rules make of a recorded debate. */
export type Decided = { outcome: "decided" | "escalated"; reasons: string[]; decision: LawDecision };

/** Decides a recorded debate without a call: checks, critiques, convergence, escalation and position, as in a live one (law spec §6.1). */
export function createDecide(standIn: StandIn) {
  return (recorded: RecordedDebate, corpus: Evidence[] = []): Decided => {
    const file = openCase({ query: recorded.query, domain_hint: recorded.hint ?? undefined, corpus }, widest);
    const rounds = recorded.rounds.reduce<Round[]>(
      (before, round) => [...before, replayRound(file, before, round)],
      [],
    );
    const config = { rounds: Math.min(2, rounds.length), max_rounds: rounds.length };
    const summary = summariseDebate(file, rounds, config);
    const decision = composeProvisional(file, rounds, summary, standIn);
    if (!decision) throw new Error("a recorded debate has at least one round");
    const outcome = decision.needs_human_review ? "escalated" : "decided";
    return {
      outcome,
      reasons: summary.reasons.map(({ code }) => code),
      decision: { ...decision, decided_by: "rules" },
    };
  };
}

/** One recorded round under the checks of a live one; what they find wrong is recorded as faults, since nobody can be asked again. */
function replayRound(file: CaseFile, before: Round[], said: RecordedRound): Round {
  const round = before.length + 1;
  const [nla, ala] = [checkOutput(file, before, said.nla, "NLA"), checkOutput(file, before, said.ala, "ALA")];
  const contradictions = findClaimContradictions(file, nla, ala);
  const spoken: Round = { round, nla, ala, nla_on_ala: null, ala_on_nla: null, contradictions };
  const nla_on_ala = checkMessage(file, before, spoken, said.nla_on_ala, "NLA");
  const ala_on_nla = checkMessage(file, before, spoken, said.ala_on_nla, "ALA");
  const isAsked = round === 1;
  const silent: Agent[] = [...(nla_on_ala ? [] : ["NLA" as const]), ...(ala_on_nla ? [] : ["ALA" as const])];
  return { ...spoken, nla_on_ala, ala_on_nla, ...(isAsked && silent.length > 0 ? { silent } : {}) };
}

function checkOutput(file: CaseFile, before: Round[], said: RecordedOutput, agent: Agent): AgentOutput {
  const last = before.at(-1);
  const input: AgentInput = {
    file,
    agent,
    round: before.length + 1,
    previous: last ? outputOf(last, agent) : null,
    critiques: listUnsettled(agent, before),
  };
  const problems = findAll(agentChecks, said, input);
  return stabiliseOutput(
    file,
    problems.length > 0 ? mendAll<AgentOutput, AgentInput>(agentChecks, said, problems, input) : said,
  );
}

function checkMessage(
  file: CaseFile,
  before: Round[],
  round: Round,
  said: RecordedMessage | null,
  agent: Agent,
): CritiqueMessage | null {
  if (!said) return null;
  const target = outputOf(round, opponentOf(agent));
  const earlier = listUnsettled(target.agent, before).map((critique) => ({
    critique,
    response: target.responses.find(({ critique_id }) => critique_id === critique.id) ?? null,
  }));
  const input: CriticInput = { file, agent, round: round.round, own: outputOf(round, agent), target, earlier };
  const numbered = {
    ...said,
    critiques: said.critiques.map((one) => ({ ...one, id: renumber(one.id, agent, before) })),
  };
  const problems = findAll(critiqueChecks, numbered, input);
  const mended =
    problems.length > 0 ? mendAll<CritiqueMessage, CriticInput>(critiqueChecks, numbered, problems, input) : numbered;
  return stabiliseCritique(file, mended, input, before);
}

/** Earlier implementations began each round with K1: a number of an earlier round becomes one of this. */
function renumber(id: string, agent: Agent, before: Round[]): string {
  const used = before.flatMap((round) => critiqueOf(round, agent)?.critiques.map((one) => one.id) ?? []);
  return used.includes(id) ? `${id}-${before.length + 1}` : id;
}

function listUnsettled(agent: Agent, before: Round[]): RaisedCritique[] {
  return critiqueStatus(before)
    .filter((one) => isUnsettled(one) && one.critique.target === agent)
    .map(({ critique }) => critique);
}
