import { Abstained, type Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import type { CaseFile } from "./case-file.ts";
import { type LawConfig, lastRoundOf } from "./config.ts";
import { controlProtocol } from "./control-protocol.ts";
import { textOf } from "./convergence/answer-change.ts";
import { converged } from "./convergence/converged.ts";
import { critiqueStatus, type RaisedCritique } from "./convergence/critique-status.ts";
import { debateSummary } from "./convergence/debate-summary.ts";
import { decisionOf, provisionalDecision } from "./decide.ts";
import type { LawDecision } from "./decision.ts";
import { claimContradictions } from "./experts/clashes.ts";
import { type LawInput, openCase } from "./input.ts";
import type { Agent, AgentOutput } from "./messages/agent-output.ts";
import { outputOf, type Round } from "./messages/round.ts";
import { rerank, textsToEmbed } from "./retrieval/rerank.ts";
import { ala, nla } from "./roles/agent-role.ts";
import { alaCritic, nlaCritic } from "./roles/critic-role.ts";
import { embedder } from "./roles/embedder-role.ts";
import { supervisor } from "./roles/supervisor-role.ts";
import { stableCritique, stableOutput } from "./stable-reply.ts";

type Table = { debate: Debate; file: CaseFile; config: LawConfig };
type Answers = [AgentOutput, AgentOutput];

/** Answers, cross critique, revisions until a condition of convergence holds, and a supervisor (law spec §4 and §5). */
export async function protocol(debate: Debate, input: LawInput, config: LawConfig): Promise<Verdict<LawDecision>> {
  const file = await reranked(debate, openCase(input, config), config);
  debate.note("route", file.route);
  if (config.protocol !== "debate") return controlProtocol(debate, file, config);
  const table = { debate, file, config };
  const rounds: Round[] = [];
  while (goesOn(table, rounds)) rounds.push(await holdRound(table, rounds));
  return conclude(table, rounds);
}

/** The case with its evidence ordered by meaning as well, where the config asks for it (law spec §2). */
async function reranked(debate: Debate, file: CaseFile, config: LawConfig): Promise<CaseFile> {
  const { retrieval } = file;
  if (!config.retrieval.rerank || retrieval.evidence.length === 0) return file;
  const { vectors } = await debate.ask(embedder, { texts: textsToEmbed(retrieval) }, "rerank");
  return { ...file, retrieval: rerank(retrieval, vectors) };
}

/** Round 2 always follows round 1; a later one only if nothing ended the debate and a CRITICAL or MAJOR critique is open. */
function goesOn({ config, debate }: Table, rounds: Round[]): boolean {
  if (rounds.length >= lastRoundOf(config)) return false;
  if (rounds.length < 2) return true;
  const convergence = converged(rounds, config);
  debate.note("convergence", convergence);
  const serious = convergence.numbers.open_critical + convergence.numbers.open_major > 0;
  return !convergence.met && (serious || rounds.length < config.rounds);
}

/** One round: both agents speak in parallel; then, unless the debate has converged, each criticises the other. */
async function holdRound(table: Table, before: Round[]): Promise<Round> {
  const { debate, file, config } = table;
  const n = before.length + 1;
  return debate.round(n, async () => {
    const [national, adat] = await withVectors(table, await speak(table, before, n));
    const contradictions = claimContradictions(file, national, adat);
    const round: Round = { round: n, nla: national, ala: adat, nla_on_ala: null, ala_on_nla: null, contradictions };
    const isFinal = n === 3 || converged([...before, round], config).met;
    const held = config.critique && !isFinal ? { ...round, ...(await criticise(table, before, round)) } : round;
    const rounds = [...before, held];
    debate.standing(provisionalDecision(file, rounds, debateSummary(file, rounds, config)));
    return held;
  });
}

/** Round 1 answers, later rounds revise: each agent gets its own previous answer and the open critiques on it. */
async function speak({ debate, file }: Table, before: Round[], n: number): Promise<Answers> {
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
  return [replyOf(nla.name), replyOf(ala.name)];
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
async function criticise(
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

/** The supervisor speaks after the debate; what is open at its end decides whether a person must look. */
async function conclude({ debate, file, config }: Table, rounds: Round[]): Promise<Verdict<LawDecision>> {
  const summary = debateSummary(file, rounds, config);
  debate.note("escalation", summary.reasons);
  const [last] = rounds.slice(-1) as [Round];
  const supervision = await debate.ask(supervisor, { file, nla: last.nla, ala: last.ala, summary });
  const decision = decisionOf(file, rounds, summary, supervision);
  const reasons: string[] = summary.reasons.map(({ code }) => code);
  if (decision.needs_human_review && reasons.length === 0) reasons.push("requested_by_supervisor");
  return { outcome: decision.needs_human_review ? "escalated" : "decided", reasons, decision };
}
