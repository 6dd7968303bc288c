import { Abstained, type Debate } from "../../engine/debate.ts";
import { type CaseFile, rerank, listTextsToEmbed } from "../../knowledge/law/index.ts";
import type { LawConfig } from "./config.ts";
import type { LawRoles } from "./roles/create-roles.ts";
import { textOf } from "./rules/answer-change.ts";
import { critiqueStatus, type RaisedCritique } from "./rules/critique-status.ts";
import { stabiliseCritique, stabiliseOutput } from "./rules/stable-reply.ts";
import type { Agent, AgentOutput } from "./schemas/agent-output.ts";
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
    return { file, agent, round: n, previous: last ? outputOf(last, agent) : null, critiques: listOpen(agent, before) };
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

/** Cross critique, in parallel once both answers are there; each critic sees its own earlier critiques and how they were answered. */
export async function criticise(
  { debate, roles, file }: LawDebate,
  before: Round[],
  round: Round,
): Promise<Pick<Round, "nla_on_ala" | "ala_on_nla">> {
  const { nlaCritic, alaCritic } = roles;
  const answers = await debate.askAll("critique", [nlaCritic, alaCritic], (role) => {
    const [agent, other]: [Agent, Agent] = role === nlaCritic ? ["NLA", "ALA"] : ["ALA", "NLA"];
    const target = outputOf(round, other);
    const earlier = listOpen(other, before).map((critique) => ({
      critique,
      response: target.responses.find(({ critique_id }) => critique_id === critique.id) ?? null,
    }));
    return { file, agent, round: round.round, own: outputOf(round, agent), target, earlier };
  });
  const takeReply = (role: string) => answers.find((one) => one.role === role)?.reply ?? null;
  const [byNla, byAla] = [takeReply(nlaCritic.name), takeReply(alaCritic.name)];
  return {
    nla_on_ala: byNla && stabiliseCritique(byNla, before),
    ala_on_nla: byAla && stabiliseCritique(byAla, before),
  };
}

/** The open critiques on an agent. */
function listOpen(agent: Agent, rounds: Round[]): RaisedCritique[] {
  return critiqueStatus(rounds)
    .filter(({ status, critique }) => status === "open" && critique.target === agent)
    .map(({ critique }) => critique);
}

/** The case with its evidence ordered by meaning as well, where the config asks for it (law spec §2.1). */
export async function reorderEvidence({ debate, roles, file, config }: LawDebate): Promise<CaseFile> {
  const { retrieval } = file;
  if (!config.retrieval.rerank || retrieval.evidence.length === 0) return file;
  const { vectors } = await debate.ask(roles.embedder, { texts: listTextsToEmbed(retrieval) }, "rerank");
  return { ...file, retrieval: rerank(retrieval, vectors) };
}
