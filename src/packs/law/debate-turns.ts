import { Abstained, type Debate } from "../../engine/debate.ts";
import { type CaseFile, type Domain, rerank, listTextsToEmbed, selectSide } from "../../knowledge/law/index.ts";
import type { LawConfig } from "./config.ts";
import type { LawRoles } from "./roles/create-roles.ts";
import { textOf } from "./rules/answer-change.ts";
import { critiqueStatus, isUnsettled, type RaisedCritique } from "./rules/critique-status.ts";
import { listHeard } from "./rules/heard.ts";
import { stabiliseCritique, stabiliseOutput } from "./rules/stable-reply.ts";
import type { CriticInput } from "./rules/role-inputs.ts";
import { type Agent, type AgentOutput, opponentOf } from "./schemas/agent-output.ts";
import type { CritiqueMessage } from "./schemas/critique-message.ts";
import { outputOf, type Round } from "./schemas/round.ts";

/** A law debate and what it is held with. */
export type LawDebate = { debate: Debate; roles: LawRoles; file: CaseFile; config: LawConfig };

type Answers = [AgentOutput, AgentOutput];

/** Round 1 answers, later rounds revise: each agent gets its own previous answer and the open critiques on it. */
export async function speak(held: LawDebate, before: Round[], n: number): Promise<Answers> {
  const { debate, file } = held;
  const { nla, ala } = held.roles;
  const last = before.at(-1);
  const answers = await debate.askAll(n === 1 ? "answer" : "revise", [nla, ala], (role) => {
    const agent: Agent = role === nla ? "NLA" : "ALA";
    const previous = last ? outputOf(last, agent) : null;
    const critiques = listUnsettled(agent, before);
    return { file: hearSide(file, agent, before), agent, round: n, previous, critiques, said: before };
  });
  const takeReply = (role: string): AgentOutput => {
    const answer = answers.find((one) => one.role === role);
    if (!answer) throw new Abstained(role, "a law debate needs both agents");
    return stabiliseOutput(file, answer.reply);
  };
  return addVectors(held, [takeReply(nla.name), takeReply(ala.name)]);
}

/** Adds the embeddings of both answers where stability is semantic. */
async function addVectors({ debate, roles, config }: LawDebate, outputs: Answers): Promise<Answers> {
  if (config.stability.metric !== "semantic") return outputs;
  const [nlaSaid, alaSaid] = outputs;
  const { vectors } = await debate.ask(roles.embedder, { texts: outputs.map(textOf) });
  const [nlaVector = [], alaVector = []] = vectors;
  return [
    { ...nlaSaid, vector: nlaVector },
    { ...alaSaid, vector: alaVector },
  ];
}

type Criticised = Required<Pick<Round, "nla_on_ala" | "ala_on_nla">> & Pick<Round, "silent">;

/** Cross critique, in parallel once both answers are there; a critic who says nothing is asked once more (law spec §4.4). */
export async function criticise(held: LawDebate, before: Round[], round: Round, final: boolean): Promise<Criticised> {
  const { debate, roles } = held;
  const { nlaCritic, alaCritic } = roles;
  const agentOf = (role: LawRoles["nlaCritic"]): Agent => (role === nlaCritic ? "NLA" : "ALA");
  const inputOf = (role: LawRoles["nlaCritic"]): CriticInput => briefCritic(held, agentOf(role), before, round, final);
  const answers = await debate.askAll("critique", [nlaCritic, alaCritic], inputOf);
  const takeReply = async (role: LawRoles["nlaCritic"]): Promise<CritiqueMessage | null> => {
    const input = inputOf(role);
    const first = answers.find((one) => one.role === role.name)?.reply;
    const reply = first ?? (input.target.claims.length > 0 ? await debate.tryAsk(role, input, "critique-again") : null);
    return reply && stabiliseCritique(held.file, reply, input, before);
  };
  const [byNla, byAla] = await Promise.all([takeReply(nlaCritic), takeReply(alaCritic)]);
  const silent: Agent[] = [...(byNla ? [] : ["NLA" as const]), ...(byAla ? [] : ["ALA" as const])];
  return { nla_on_ala: byNla, ala_on_nla: byAla, ...(silent.length > 0 ? { silent } : {}) };
}

/** What a critic sees: what its side holds and has heard, both answers, and how its earlier critiques were answered. */
function briefCritic({ file }: LawDebate, agent: Agent, before: Round[], round: Round, final: boolean): CriticInput {
  const target = outputOf(round, opponentOf(agent));
  const earlier = listUnsettled(target.agent, before).map((critique) => ({
    critique,
    response: target.responses.find(({ critique_id }) => critique_id === critique.id) ?? null,
  }));
  const said = [...before, round];
  const heard = hearSide(file, agent, said);
  return { file: heard, agent, round: round.round, own: outputOf(round, agent), target, said, earlier, final };
}

/** The critiques on an agent that nothing has settled. */
function listUnsettled(agent: Agent, rounds: Round[]): RaisedCritique[] {
  return critiqueStatus(rounds)
    .filter((one) => isUnsettled(one) && one.critique.target === agent)
    .map(({ critique }) => critique);
}

const sides: Record<Agent, Domain> = { NLA: "national", ALA: "adat" };

/** The case as a side knows it: its own sources, and what it has heard of the other's (law spec §2.10). */
function hearSide(file: CaseFile, agent: Agent, said: Round[]): CaseFile {
  return selectSide(file, sides[agent], listHeard(file, agent, said));
}

/** The case with its evidence ordered by meaning as well, where the config asks for it (law spec §2.1). */
export async function reorderEvidence({ debate, roles, file, config }: LawDebate): Promise<CaseFile> {
  const { retrieval } = file;
  if (!config.retrieval.rerank || retrieval.evidence.length === 0) return file;
  const { vectors } = await debate.ask(roles.embedder, { texts: listTextsToEmbed(retrieval) }, "rerank");
  return { ...file, retrieval: rerank(retrieval, vectors) };
}
