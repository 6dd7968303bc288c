import { type CaseFile, findEvidence } from "./case-file.ts";
import { type DebateSummary } from "./convergence/debate-summary.ts";
import type { LawDecision, Source } from "./decision.ts";
import { supervise } from "./experts/supervise.ts";
import { statementIn, titleIn } from "./knowledge/evidence.ts";
import type { Claim } from "./messages/agent-output.ts";
import type { Round } from "./messages/round.ts";
import type { Supervision } from "./messages/supervision.ts";

/** A decision of the debate: the supervisor's words with the claims, sources and course they rest on. */
export function decisionOf(
  file: CaseFile,
  rounds: Round[],
  summary: DebateSummary,
  supervision: Supervision,
): LawDecision {
  const last = rounds.at(-1);
  const claims = last ? [...named("NLA", last.nla.claims), ...named("ALA", last.ala.claims)] : [];
  const needs_human_review = supervision.needs_human_review || summary.needs_human_review;
  return { ...plainDecision(file, claims, supervision), needs_human_review, decided_by: "supervisor", summary, rounds };
}

/** What would stand if the debate stopped here: the claims so far, synthesised by the deterministic supervisor. */
export function provisionalDecision(file: CaseFile, rounds: Round[], summary: DebateSummary): LawDecision | null {
  const last = rounds.at(-1);
  if (!last) return null;
  const supervision = supervise({ file, nla: last.nla, ala: last.ala, summary });
  return { ...decisionOf(file, rounds, summary, supervision), decided_by: "provisional" };
}

type NamedClaim = LawDecision["claims"][number];

/** Claims with the names under which a supervisor speaks of them. */
export function named(agent: string, claims: Claim[]): NamedClaim[] {
  return claims.map((claim) => ({ ...claim, claim: `${agent}:${claim.id}` }));
}

/** What every decision has, however it was reached. */
export function plainDecision(
  file: CaseFile,
  claims: NamedClaim[],
  supervision: Supervision,
): Omit<LawDecision, "decided_by"> {
  const { language, cited } = file.retrieval;
  return {
    ...supervision,
    language,
    query: file.query,
    route: file.route,
    claims,
    sources: sourcesOf(file, claims),
    unknown_provisions: cited.filter(({ known }) => !known).map(({ text }) => text),
    summary: null,
    rounds: [],
    votes: [],
  };
}

function sourcesOf(file: CaseFile, claims: Claim[]): Source[] {
  const { language } = file.retrieval;
  const ids = [...new Set(claims.flatMap(({ evidence }) => evidence))];
  return ids
    .flatMap((id) => findEvidence(file, id) ?? [])
    .map((item) => ({
      id: item.id,
      kind: item.kind,
      title: titleIn(item, language),
      statement: statementIn(item, language),
      scope: language === "en" ? item.scope_en : item.scope,
      source: item.source,
      confidence: item.confidence,
    }));
}
