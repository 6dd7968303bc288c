import type { CaseFile } from "../../../knowledge/law/index.ts";
import { type Agent, type Claim, type Fault, opponentOf } from "../schemas/agent-output.ts";
import type { Round } from "../schemas/round.ts";
import { type Notes, notesOf } from "./wording/notes.ts";
import { type Convergence, converged, isDomainConflict } from "./converged.ts";
import { type CritiqueStatus, critiqueStatus, isUnsettled } from "./critique-status.ts";
import { type EscalationConfig, escalationReasons, measureMissing, type Reason } from "./escalation-reasons.ts";

/** A clash of norms that came up: raised by a critic, or found by the rule engine. */
export type Conflict = { refs: string[]; statement: string; status: string; why: string };

export type SummaryClaim = { claim: string; statement: string; evidence: string[]; confidence: number; why: string };

/** What the supervisor is given of the debate (law spec §6); `usage` is added when the run is over. */
export type DebateSummary = {
  query: string;
  route: CaseFile["route"];
  rounds: number;
  convergence: Convergence;
  critiques: CritiqueStatus[];
  conflicts: Conflict[];
  agreed_claims: SummaryClaim[];
  disputed_claims: SummaryClaim[];
  critique_counts: Record<string, number>;
  evidence_coverage: { nla: number; ala: number };
  faults: (Fault & { round: number; speaker: string })[];
  needs_human_review: boolean;
  reasons: Reason[];
};

type Course = Notes["course"];
type Ended = { critiques: CritiqueStatus[]; last: Round | undefined; tell: Course };

/** Sums up a debate for its supervisor: what was agreed, what is disputed, why it ended and what a person must look at. */
export function summariseDebate(file: CaseFile, rounds: Round[], config: EscalationConfig): DebateSummary {
  const { language } = file.retrieval;
  const tell = notesOf(language).course;
  const critiques = critiqueStatus(rounds, language);
  const reasons = escalationReasons(rounds, config, language);
  const last = rounds.at(-1);
  const claims = last ? [...listClaims("NLA", last), ...listClaims("ALA", last)] : [];
  const judged = claims.map(({ agent, claim }) => judgeClaim({ agent, claim }, { critiques, last, tell }));
  return {
    query: file.query,
    route: file.route,
    rounds: rounds.length,
    convergence: converged(rounds, config),
    critiques,
    conflicts: listConflicts({ critiques, last, tell }),
    agreed_claims: judged.filter(({ disputed }) => !disputed).map(({ claim }) => claim),
    disputed_claims: judged.filter(({ disputed }) => disputed).map(({ claim }) => claim),
    critique_counts: countCritiques(critiques),
    evidence_coverage: {
      nla: last ? 1 - measureMissing(rounds, "NLA") : 0,
      ala: last ? 1 - measureMissing(rounds, "ALA") : 0,
    },
    faults: rounds.flatMap((round) => listFaults(round, tell)),
    needs_human_review: reasons.length > 0,
    reasons,
  };
}

function listClaims(agent: Agent, round: Round): { agent: Agent; claim: Claim }[] {
  return (agent === "NLA" ? round.nla : round.ala).claims.map((claim) => ({ agent, claim }));
}

/** A clash that is a finding, or that its critic lets rest, is no agreement: both sides keep their reading. */
function isKeptApart({ status, critique }: CritiqueStatus): boolean {
  return status === "finding" || (status === "withdrawn" && critique.issue_type === "conflict");
}

/** A claim is disputed while a critique of it is open or contested, while both sides keep contradictory readings, or without evidence. */
function judgeClaim({ agent, claim }: { agent: Agent; claim: Claim }, { critiques, last, tell }: Ended) {
  const name = `${agent}:${claim.id}`;
  const on = critiques.filter(({ critique }) => critique.target === agent && critique.target_claim_id === claim.id);
  const disputing = on.filter((one) => isUnsettled(one) || isKeptApart(one));
  const contradicted = last?.contradictions?.find(
    (one) => (agent === "NLA" ? one.nla_claim_id : one.ala_claim_id) === claim.id,
  );
  const why =
    disputing
      .map(
        ({ critique, why: because }) =>
          `${critique.agent}:${critique.id} ${tell.issues[critique.issue_type]}: ${because}`,
      )
      .join("; ") || (contradicted ? contradicted.statement : claim.risk ? tell.noEvidence() : writeCourse(on, tell));
  const { statement, evidence, confidence } = claim;
  const disputed = disputing.length > 0 || contradicted !== undefined || claim.risk !== undefined;
  return { disputed, claim: { claim: name, statement, evidence, confidence, why } };
}

function writeCourse(on: CritiqueStatus[], tell: Course): string {
  return on.length === 0
    ? tell.notCriticised()
    : on.map(({ critique, status }) => `${critique.agent}:${critique.id} ${tell.statuses[status]}`).join("; ");
}

function listConflicts({ critiques, last, tell }: Ended): Conflict[] {
  const raised = critiques
    .filter(({ critique }) => isDomainConflict(critique))
    .map(({ critique, status, why }) => ({
      refs: [`${critique.agent}:${critique.id}`, nameTarget(critique)],
      statement: critique.description,
      status,
      why,
    }));
  const derived = (last?.contradictions ?? []).map(({ nla_claim_id, ala_claim_id, by, statement }) => ({
    refs: [`NLA:${nla_claim_id}`, `ALA:${ala_claim_id}`, ...by],
    statement,
    status: "derived",
    why: tell.derived(),
  }));
  return [...raised, ...derived];
}

function countCritiques(critiques: CritiqueStatus[]): Record<string, number> {
  const count = (test: (one: CritiqueStatus) => boolean): number => critiques.filter(test).length;
  const statuses = ["open", "contested", "accepted", "withdrawn", "finding"] as const;
  const severities = ["CRITICAL", "MAJOR", "MINOR"] as const;
  return {
    raised: critiques.length,
    ...Object.fromEntries(statuses.map((status) => [status, count((one) => one.status === status)])),
    ...Object.fromEntries(severities.map((severity) => [severity, count((one) => one.critique.severity === severity)])),
  };
}

function listFaults(
  { round, nla, ala, nla_on_ala, ala_on_nla, silent = [] }: Round,
  tell: Course,
): DebateSummary["faults"] {
  const speakers = { nla, ala, nla_critic: nla_on_ala, ala_critic: ala_on_nla };
  const said = Object.entries(speakers).flatMap(([speaker, reply]) =>
    (reply?.faults ?? []).map((fault) => ({ ...fault, round, speaker })),
  );
  const unsaid = silent.map((agent) => ({
    code: "no_critique",
    message: tell.silent(opponentOf(agent)),
    round,
    speaker: `${agent.toLowerCase()}_critic`,
  }));
  return [...said, ...unsaid];
}

/** What a critique is about: a claim, or what its target left out. */
function nameTarget({ target, target_claim_id }: CritiqueStatus["critique"]): string {
  return target_claim_id === null ? target : `${target}:${target_claim_id}`;
}
