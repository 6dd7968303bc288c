import { type CaseFile, findEvidence, ownSourceKind, statementOf, titleOf } from "../../knowledge/law/index.ts";
import { completeDisclaimer } from "./rules/checks/supervisor-checks.ts";
import type { DebateSummary } from "./rules/debate-summary.ts";
import type { SupervisorInput } from "./rules/role-inputs.ts";
import type { Claim } from "./schemas/agent-output.ts";
import type { LawDecision, Source } from "./schemas/decision.ts";
import type { Round } from "./schemas/round.ts";
import type { Supervision } from "./schemas/supervision.ts";

/** A decision of the debate: the supervisor's words with the claims, sources and course they rest on. */
export function composeDecision(
  file: CaseFile,
  rounds: Round[],
  summary: DebateSummary,
  supervision: Supervision,
): LawDecision {
  const last = rounds.at(-1);
  const claims = last ? [...nameClaims("NLA", last.nla.claims), ...nameClaims("ALA", last.ala.claims)] : [];
  const needs_human_review = supervision.needs_human_review || summary.needs_human_review;
  return { ...composePlain(file, claims, supervision), needs_human_review, decided_by: "supervisor", summary, rounds };
}

/** Who concludes from the claims so far when the supervisor cannot be asked any more. */
export type StandIn = (input: SupervisorInput) => Supervision;

/** What would stand if the debate stopped here: the claims so far, concluded by the stand-in (law spec §5.3). */
export function composeProvisional(
  file: CaseFile,
  rounds: Round[],
  summary: DebateSummary,
  standIn: StandIn,
): LawDecision | null {
  const last = rounds.at(-1);
  if (!last) return null;
  const supervision = standIn({ file, nla: last.nla, ala: last.ala, summary });
  return { ...composeDecision(file, rounds, summary, supervision), decided_by: "provisional" };
}

type NamedClaim = LawDecision["claims"][number];

/** Gives claims the names under which a supervisor speaks of them. */
export function nameClaims(agent: string, claims: Claim[]): NamedClaim[] {
  return claims.map((claim) => ({ ...claim, claim: `${agent}:${claim.id}` }));
}

/** What every decision has, however it was reached. */
export function composePlain(
  file: CaseFile,
  claims: NamedClaim[],
  supervision: Supervision,
): Omit<LawDecision, "decided_by"> {
  const { language, cited } = file.retrieval;
  return {
    ...supervision,
    disclaimer: completeDisclaimer(supervision.disclaimer, language),
    language,
    query: file.query,
    route: file.route,
    claims,
    sources: listSources(file, claims),
    unknown_provisions: cited.filter(({ known }) => !known).map(({ text }) => text),
    summary: null,
    rounds: [],
    votes: [],
  };
}

function listSources(file: CaseFile, claims: Claim[]): Source[] {
  const { language } = file.retrieval;
  const ids = [...new Set(claims.flatMap(({ evidence }) => evidence))];
  return ids
    .flatMap((id) => findEvidence(file, id) ?? [])
    .map((item) => ({
      id: item.id,
      kind: item.kind,
      title: titleOf(item, language),
      statement: statementOf(item, language),
      scope: language === "en" ? item.scope_en : item.scope,
      source: item.source,
      confidence: item.confidence,
      ...(item.source_kind === ownSourceKind ? { imported: true } : {}),
    }));
}
