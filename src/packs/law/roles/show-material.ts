import { scopeOf, statementOf, titleOf } from "../rules/evidence.ts";
import type { DebateSummary } from "../schemas/decision.ts";
import type { Language, MaterialItem } from "../schemas/material.ts";
import type { AgentOutput } from "../schemas/messages.ts";

export function showItems(items: MaterialItem[], language: Language) {
  const groups = Map.groupBy(items, (item) => JSON.stringify([item.regime, item.community, scopeOf(item, language)]));
  return [...groups.values()].map((group) => {
    const first = group[0] as MaterialItem;
    return {
      regime: first.regime,
      ...(first.community === null ? {} : { community: first.community }),
      ...(scopeOf(first, language) === null ? {} : { scope: scopeOf(first, language) }),
      items: group.map((item) => ({
        id: item.id,
        ...(item.kind === "rule" || item.kind === "kg" ? {} : { title: titleOf(item, language) }),
        statement: statementOf(item, language),
        ...(item.confidence === "unconfirmed" ? { unconfirmed: true } : {}),
        ...(item.source === null ? { no_citable_source: true } : {}),
        ...(item.imported ? { imported: item.source } : {}),
      })),
    };
  });
}

export function showRevision(
  { responses, claims, uncertainties, open_questions, answer }: AgentOutput,
  before: AgentOutput | null,
) {
  const isKept = (claim: unknown): boolean =>
    before?.claims.some((one) => JSON.stringify(one) === JSON.stringify(claim)) ?? false;
  const kept = claims.filter(isKept).map(({ id }) => id);
  const dropped = (before?.claims ?? []).map(({ id }) => id).filter((id) => !claims.some((claim) => claim.id === id));
  const shown = claims
    .filter((claim) => !isKept(claim))
    .map(({ assumptions, ...claim }) => (assumptions.length > 0 ? { ...claim, assumptions } : claim));
  const lists = {
    responses,
    claims: shown,
    unchanged: kept,
    dropped,
    uncertainties: before ? [] : uncertainties,
    open_questions: before ? [] : open_questions,
  };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(before ? {} : { answer }),
  };
}

export function showSummary(summary: DebateSummary) {
  const { critiques, position, convergence } = summary;
  const aim = ({ target, target_claim_id }: DebateSummary["critiques"][number]["critique"]): string =>
    target_claim_id === null ? target : `${target}:${target_claim_id}`;
  return {
    position_of_the_claims: position,
    converged: convergence.met,
    critiques: critiques.map(({ critique, status, why }) => ({
      critique: `${critique.agent}:${critique.id}`,
      on: aim(critique),
      issue: critique.issue_type,
      severity: critique.severity,
      description: critique.description,
      status,
      why,
    })),
    agreed: summary.agreed_claims.map(({ claim }) => claim),
    disputed: summary.disputed_claims.map(({ claim }) => claim),
    dropped: summary.dropped_claims.map(({ claim, statement }) => ({ claim, statement })),
    human_review: summary.reasons.map(({ message }) => message),
  };
}
