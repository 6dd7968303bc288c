import { Abstained, type Debate } from "../../engine/debate.ts";
import type { CaseFile } from "./case-file.ts";
import type { LawConfig } from "./config.ts";
import { textOf } from "./convergence/answer-change.ts";
import { critiqueStatus, type RaisedCritique } from "./convergence/critique-status.ts";
import type { Agent, AgentOutput } from "./messages/agent-output.ts";
import { outputOf, type Round } from "./messages/round.ts";
import { rerank, textsToEmbed } from "./retrieval/rerank.ts";
import { ala, nla } from "./roles/agent-role.ts";
import { alaCritic, nlaCritic } from "./roles/critic-role.ts";
import { embedder } from "./roles/embedder-role.ts";
import { stableCritique, stableOutput } from "./stable-reply.ts";

/** What a law debate is held with. */
export type Table = { debate: Debate; file: CaseFile; config: LawConfig };

type Answers = [AgentOutput, AgentOutput];

/** Round 1 answers, later rounds revise: each agent gets its own previous answer and the open critiques on it. */
export async function speak(table: Table, before: Round[], n: number): Promise<Answers> {
  const { debate, file } = table;
  const last = before.at(-1);
  const answers = await debate.askAll(n === 1 ? "answer" : "revise", [nla, ala], (role) => {
    const agent: Agent = role === nla ? "NLA" : "ALA";
    return { file, agent, round: n, previous: last ? outputOf(last, agent) : null, critiques: openOn(agent, before) };
  });
  const replyOf = (role: string): AgentOutput => {
    const answer = answers.find((one) => one.role === role);
    if (!answer) throw new Abstained(role, "a law debate needs both agents");
    return stableOutput(file, answer.reply);
  };
  return withVectors(table, [replyOf(nla.name), replyOf(ala.name)]);
}

/** Adds the embeddings of both answers where stability is semantic. */
async function withVectors({ debate, config }: Table, outputs: Answers): Promise<Answers> {
  if (config.stability.metric !== "semantic") return outputs;
  const [nlaSaid, alaSaid] = outputs;
  const { vectors } = await debate.ask(embedder, { texts: outputs.map(textOf) });
  const [nlaVector = [], alaVector = []] = vectors;
  return [
    { ...nlaSaid, vector: nlaVector },
    { ...alaSaid, vector: alaVector },
  ];
}

/** Cross critique, in parallel once both answers are there; each critic sees its own earlier critiques and how they were answered. */
export async function criticise(
  { debate, file }: Table,
  before: Round[],
  round: Round,
): Promise<Pick<Round, "nla_on_ala" | "ala_on_nla">> {
  const answers = await debate.askAll("critique", [nlaCritic, alaCritic], (role) => {
    const [agent, other]: [Agent, Agent] = role === nlaCritic ? ["NLA", "ALA"] : ["ALA", "NLA"];
    const target = outputOf(round, other);
    const earlier = openOn(other, before).map((critique) => ({
      critique,
      response: target.responses.find(({ critique_id }) => critique_id === critique.id) ?? null,
    }));
    return { file, agent, round: round.round, own: outputOf(round, agent), target, earlier };
  });
  const replyOf = (role: string) => answers.find((one) => one.role === role)?.reply ?? null;
  const [byNla, byAla] = [replyOf(nlaCritic.name), replyOf(alaCritic.name)];
  return { nla_on_ala: byNla && stableCritique(byNla, before), ala_on_nla: byAla && stableCritique(byAla, before) };
}

/** The critiques on an agent that are not settled. */
function openOn(agent: Agent, rounds: Round[]): RaisedCritique[] {
  return critiqueStatus(rounds)
    .filter(({ status, critique }) => status === "open" && critique.target === agent)
    .map(({ critique }) => critique);
}

/** The case with its evidence ordered by meaning as well, where the config asks for it (law spec §2). */
export async function reranked(debate: Debate, file: CaseFile, config: LawConfig): Promise<CaseFile> {
  const { retrieval } = file;
  if (!config.retrieval.rerank || retrieval.evidence.length === 0) return file;
  const { vectors } = await debate.ask(embedder, { texts: textsToEmbed(retrieval) }, "rerank");
  return { ...file, retrieval: rerank(retrieval, vectors) };
}
