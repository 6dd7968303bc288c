import type { Protocol, Verdict } from "../../engine/pack.ts";
import { openCase } from "../../knowledge/law/index.ts";
import type { LawInput } from "./case.ts";
import { findLastRound, type LawConfig } from "./config.ts";
import { holdControl } from "./control-protocol.ts";
import { criticise, type LawDebate, reorderEvidence, speak } from "./debate-turns.ts";
import { composeDecision, composeProvisional, type StandIn } from "./decision.ts";
import type { LawRoles } from "./roles/create-roles.ts";
import { findClaimContradictions } from "./rules/claim-contradictions.ts";
import { converged, hasContested } from "./rules/converged.ts";
import { summariseDebate } from "./rules/debate-summary.ts";
import type { LawDecision } from "./schemas/decision.ts";
import type { Round } from "./schemas/round.ts";

/**
 * Answers, cross critique, revisions until a condition of convergence holds, and a supervisor (law spec §4 and §5).
 * `standIn` concludes a debate that stops before its supervisor has spoken.
 */
export function createProtocol(roles: LawRoles, standIn: StandIn): Protocol<LawInput, LawConfig, LawDecision> {
  return async (debate, { input }, config) => {
    const opened = openCase(input, config.retrieval.limit);
    const file = await reorderEvidence({ debate, roles, file: opened, config });
    debate.note("route", file.route);
    const held: LawDebate = { debate, roles, file, config };
    if (config.protocol !== "debate") return holdControl(held);
    const rounds: Round[] = [];
    while (goesOn(held, rounds)) rounds.push(await holdRound(held, rounds, standIn));
    return conclude(held, rounds);
  };
}

/** Round 2 always follows round 1; a later one only while no condition of convergence holds. */
function goesOn({ config, debate }: LawDebate, rounds: Round[]): boolean {
  if (rounds.length >= findLastRound(config)) return false;
  if (rounds.length < 2) return true;
  const convergence = converged(rounds, config);
  debate.note("convergence", convergence);
  return !convergence.met;
}

/** One round: both agents speak in parallel; then each criticises the other, unless the debate has converged and nothing is contested. */
async function holdRound(held: LawDebate, before: Round[], standIn: StandIn): Promise<Round> {
  const { debate, file, config } = held;
  const n = before.length + 1;
  return debate.round(n, async () => {
    const [national, adat] = await speak(held, before, n);
    const contradictions = findClaimContradictions(file, national, adat);
    const spoken: Round = { round: n, nla: national, ala: adat, nla_on_ala: null, ala_on_nla: null, contradictions };
    const round = needsCritics(config, [...before, spoken])
      ? { ...spoken, ...(await criticise(held, before, spoken, n > 1 && n >= findLastRound(config))) }
      : spoken;
    const rounds = [...before, round];
    debate.standing(() => composeProvisional(file, rounds, summariseDebate(file, rounds, config), standIn));
    return round;
  });
}

/** A rejected critique waits for its critic, even after the last revision; otherwise critics speak until the debate has converged. */
function needsCritics(config: LawConfig, rounds: Round[]): boolean {
  if (!config.critique) return false;
  return hasContested(rounds) || (rounds.length < 3 && !converged(rounds, config).met);
}

/** The supervisor speaks after the debate; what is open at its end decides whether a person must look. */
async function conclude({ debate, roles, file, config }: LawDebate, rounds: Round[]): Promise<Verdict<LawDecision>> {
  const summary = summariseDebate(file, rounds, config);
  debate.note("escalation", summary.reasons);
  const [last] = rounds.slice(-1) as [Round];
  const supervision = await debate.ask(roles.supervisor, { file, nla: last.nla, ala: last.ala, summary });
  const decision = composeDecision(file, rounds, summary, supervision);
  const reasons: string[] = summary.reasons.map(({ code }) => code);
  if (decision.needs_human_review && reasons.length === 0) reasons.push("requested_by_supervisor");
  return { outcome: decision.needs_human_review ? "escalated" : "decided", reasons, decision };
}
