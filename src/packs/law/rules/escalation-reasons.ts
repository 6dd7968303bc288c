import { type Agent, opponentOf } from "../schemas/agent-output.ts";
import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/round.ts";
import { type ConvergenceConfig, converged } from "./converged.ts";
import { type Notes, notesOf } from "./wording/notes.ts";
import { type CritiqueStatus, critiqueStatus, isUnsettled, listRaised } from "./critique-status.ts";

export type EscalationCode =
  | "critical_evidence"
  | "critical_norm_conflict"
  | "hard_contradiction"
  | "evidence_missing_over_30_percent"
  | "unchecked_claims"
  | "not_converged_after_max_rounds";

/** Why a person must look, and at what: critiques (`NLA:K1`), claims (`NLA:C1`) or agents. */
export type Reason = { code: EscalationCode; message: string; refs: string[] };

export type EscalationConfig = ConvergenceConfig & { max_rounds?: number };

const agents: Agent[] = ["NLA", "ALA"];
const maxMissingShare = 0.3;
const defaultMaxRounds = 3;

/** Why the debate needs a person (law spec §4.4), judged on what is open at its end. */
export function escalationReasons(
  rounds: Round[],
  config: EscalationConfig = {},
  language: "id" | "en" = "en",
): Reason[] {
  const tell = notesOf(language).reasons;
  const last = rounds.at(-1);
  if (!last) return [];
  const statuses = critiqueStatus(rounds);
  return [
    ...findCritical(statuses, tell),
    ...findContradictory({ last, statuses, rounds }, tell),
    ...findMissingEvidence(rounds, tell),
    ...findUnchecked(rounds, tell),
    ...findNotConverged(rounds, config, tell),
  ];
}

type Telling = Notes["reasons"];

function findCritical(statuses: CritiqueStatus[], tell: Telling): Reason[] {
  const critical = statuses.filter((one) => isUnsettled(one) && one.critique.severity === "CRITICAL");
  const about = (code: EscalationCode, issues: string[], say: (count: number) => string): Reason[] => {
    const found = critical.filter(({ critique }) => issues.includes(critique.issue_type));
    if (found.length === 0) return [];
    return [{ code, message: say(found.length), refs: found.map(refOf) }];
  };
  return [
    ...about("critical_evidence", ["evidence_gap", "overclaim"], tell.criticalEvidence),
    ...about("critical_norm_conflict", ["conflict", "domain_mismatch"], tell.criticalConflict),
  ];
}

/** Both sides keep claims that the rules or an upheld critique mark as contradictory, and nobody justified it. */
function findContradictory(
  { last, statuses, rounds }: { last: Round; statuses: CritiqueStatus[]; rounds: Round[] },
  tell: Telling,
): Reason[] {
  const byRules = (last.contradictions ?? [])
    .filter(({ nla_claim_id, ala_claim_id }) => claimOf(last.nla, nla_claim_id) && claimOf(last.ala, ala_claim_id))
    .filter(({ nla_claim_id, ala_claim_id }) => !isJustified(statuses, nla_claim_id, ala_claim_id))
    .map(({ nla_claim_id, ala_claim_id }) => [`NLA:${nla_claim_id}`, `ALA:${ala_claim_id}`]);
  const byCritics = statuses
    .filter((one) => one.status === "open" && one.critique.issue_type === "conflict" && isUpheld(one, rounds))
    .filter(({ critique }) => claimOf(critique.target === "NLA" ? last.nla : last.ala, critique.target_claim_id))
    .map((one) => [refOf(one), `${one.critique.target}:${one.critique.target_claim_id ?? ""}`]);
  const refs = [...new Set([...byRules, ...byCritics].flat())];
  if (refs.length === 0) return [];
  const message = tell.contradiction(byRules.length + byCritics.length);
  return [{ code: "hard_contradiction", message, refs }];
}

/** A conflict critique on either claim that was answered, and that its critic does not uphold or that is a finding, justifies keeping both readings. */
function isJustified(statuses: CritiqueStatus[], nlaClaim: string, alaClaim: string): boolean {
  return statuses.some(({ critique, status }) => {
    const onPair = critique.target_claim_id === (critique.target === "NLA" ? nlaClaim : alaClaim);
    const onConflict = critique.issue_type === "conflict" || critique.issue_type === "domain_mismatch";
    return onPair && onConflict && (status === "accepted" || status === "withdrawn" || status === "finding");
  });
}

function isUpheld({ critique }: CritiqueStatus, rounds: Round[]): boolean {
  return rounds.some((round) =>
    critiqueOf(round, critique.agent)?.verdicts?.some(
      (verdict) => verdict.critique_id === critique.id && verdict.verdict === "upheld",
    ),
  );
}

function findMissingEvidence(rounds: Round[], tell: Telling): Reason[] {
  const thin = agents.filter((agent) => measureMissing(rounds, agent) > maxMissingShare);
  if (thin.length === 0) return [];
  const message = thin.map((agent) => tell.missing(agent, Math.round(100 * measureMissing(rounds, agent)))).join("; ");
  return [{ code: "evidence_missing_over_30_percent", message, refs: thin }];
}

/** The share of an agent's claims that have no valid evidence, those it dropped for want of it included; 0 when it claims nothing. */
export function measureMissing(rounds: Round[], agent: Agent): number {
  const last = rounds.at(-1);
  if (!last) return 0;
  const { claims } = outputOf(last, agent);
  const dropped = countDropped(rounds, agent);
  const missing = claims.filter(({ evidence }) => evidence.length === 0).length + dropped;
  return missing === 0 ? 0 : missing / (claims.length + dropped);
}

/** Claims that are gone and had no evidence, or whose evidence a critic found wanting. */
function countDropped(rounds: Round[], agent: Agent): number {
  const kept = new Set(rounds.slice(-1).flatMap((round) => outputOf(round, agent).claims.map(({ id }) => id)));
  const wanting = new Set(
    listRaised(rounds)
      .filter((one) => one.target === agent && one.issue_type === "evidence_gap" && one.severity !== "MINOR")
      .map(({ target_claim_id }) => target_claim_id),
  );
  const gone = rounds
    .flatMap((round) => outputOf(round, agent).claims)
    .filter(({ id, evidence }) => !kept.has(id) && (evidence.length === 0 || wanting.has(id)));
  return new Set(gone.map(({ id }) => id)).size;
}

/** A critic who said nothing when asked leaves the other side's claims unchecked: silence is not approval. */
function findUnchecked(rounds: Round[], tell: Telling): Reason[] {
  const unchecked = rounds.flatMap((round) =>
    (round.silent ?? []).filter((critic) => outputOf(round, opponentOf(critic)).claims.length > 0),
  );
  if (unchecked.length === 0) return [];
  const refs = [...new Set(unchecked.map(opponentOf))];
  return [
    {
      code: "unchecked_claims",
      message: tell.unchecked(refs),
      refs,
    },
  ];
}

/** Only a debate that may revise can fail to converge. */
function findNotConverged(rounds: Round[], config: EscalationConfig, tell: Telling): Reason[] {
  const maxRounds = config.max_rounds ?? defaultMaxRounds;
  const last = rounds.at(-1)?.round ?? 0;
  if (maxRounds < 2 || last < maxRounds || converged(rounds, config).met) return [];
  return [{ code: "not_converged_after_max_rounds", message: tell.notConverged(last), refs: [] }];
}

function refOf({ critique }: CritiqueStatus): string {
  return `${critique.agent}:${critique.id}`;
}
