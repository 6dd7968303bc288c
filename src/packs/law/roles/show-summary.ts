import type { CritiqueStatus } from "../rules/critique-status.ts";
import type { DebateSummary, SummaryClaim } from "../rules/debate-summary.ts";

/** The summary for whoever has the final revisions beside it: claims and critiques by name, and each thing said once. */
export function showSummary({ critiques, ...summary }: DebateSummary) {
  const { rounds, convergence, conflicts, agreed_claims, disputed_claims } = summary;
  const { evidence_coverage, faults, needs_human_review, reasons } = summary;
  const nameClaim = (claim: SummaryClaim) => showClaim(claim, critiques);
  return {
    rounds,
    converged: convergence.met,
    critiques: critiques.map(showCritique),
    contradictions: conflicts
      .filter(({ status }) => status === "derived")
      .map(({ refs, statement }) => ({ refs, statement })),
    agreed_claims: agreed_claims.map(nameClaim),
    disputed_claims: disputed_claims.map(nameClaim),
    evidence_coverage,
    faults,
    needs_human_review,
    reasons,
  };
}

function showCritique({ critique, status, why }: CritiqueStatus) {
  const { description, evidence, issue_type, severity } = critique;
  return { critique: nameOf(critique), on: aimOf(critique), issue_type, severity, description, evidence, status, why };
}

/** A claim with the critiques of it; why it counts as it does where no critique says so. */
function showClaim({ claim, why }: SummaryClaim, critiques: CritiqueStatus[]) {
  const on = critiques.filter(({ critique }) => aimOf(critique) === claim);
  return on.length === 0 ? { claim, why } : { claim, critiques: on.map(({ critique }) => nameOf(critique)) };
}

function nameOf({ agent, id }: CritiqueStatus["critique"]): string {
  return `${agent}:${id}`;
}

function aimOf({ target, target_claim_id }: CritiqueStatus["critique"]): string {
  return target_claim_id === null ? target : `${target}:${target_claim_id}`;
}
