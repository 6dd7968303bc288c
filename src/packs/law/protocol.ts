import type { Debate } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import { type LawConfig, lastRoundOf } from "./config.ts";
import { controlProtocol } from "./control-protocol.ts";
import { converged } from "./convergence/converged.ts";
import { debateSummary } from "./convergence/debate-summary.ts";
import { criticise, reranked, speak, type Table } from "./debate-turns.ts";
import { decisionOf, provisionalDecision } from "./decide.ts";
import type { LawDecision } from "./decision.ts";
import { claimContradictions } from "./experts/norms/clashes.ts";
import { type LawInput, openCase } from "./input.ts";
import type { Round } from "./messages/round.ts";
import { supervisor } from "./roles/supervisor-role.ts";

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
    const [national, adat] = await speak(table, before, n);
    const contradictions = claimContradictions(file, national, adat);
    const round: Round = { round: n, nla: national, ala: adat, nla_on_ala: null, ala_on_nla: null, contradictions };
    const isFinal = n === 3 || converged([...before, round], config).met;
    const held = config.critique && !isFinal ? { ...round, ...(await criticise(table, before, round)) } : round;
    const rounds = [...before, held];
    debate.standing(() => provisionalDecision(file, rounds, debateSummary(file, rounds, config)));
    return held;
  });
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
