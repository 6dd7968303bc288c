import {
  type CaseFile,
  type Domain,
  findEvidence,
  findRelations,
  type NormRelation,
  selectOnIssue,
} from "../../../../knowledge/law/index.ts";
import type { AgentOutput } from "../../schemas/agent-output.ts";

/** A norm that one side holds, that bears on what the other claims, and that neither has named. */
export type Omission = { issue: string; evidence: string[] };

/** Kinds of relations that change an answer when they are left out; a plain clash is raised between claims. */
const telling: NormRelation["kind"][] = ["overriding", "agreement", "reference"];

/** What the other side's claims leave out: norms that this side holds and that settle, bear out or refer to what is claimed. */
export function findOmissions(file: CaseFile, side: Domain, own: AgentOutput, target: AgentOutput): Omission[] {
  const cited = listEvidence(target);
  const named = new Set([...cited, ...listEvidence(own)]);
  const held = file.retrieval.evidence.filter(({ domain }) => domain === side).map(({ id }) => id);
  const [national, adat] = side === "national" ? [held, cited] : [cited, held];
  const { language } = file.retrieval;
  return selectOnIssue(file.read, findRelations(telling, national, adat)).flatMap((relation) => {
    const norms = side === "national" ? relation.national : relation.adat;
    const evidence = norms.filter((id) => held.includes(id) && isNear(file, id));
    if (evidence.length === 0 || norms.some((id) => named.has(id))) return [];
    return [{ issue: language === "en" ? relation.issue_en : relation.issue, evidence }];
  });
}

/** What was left out must match the question about as well as what was said. */
const nearness = 0.5;

function isNear({ retrieval, pool = retrieval.evidence }: CaseFile, id: string): boolean {
  const best = Math.max(0, ...pool.map(({ score }) => score));
  return (pool.find((item) => item.id === id)?.score ?? 0) >= nearness * best;
}

/** Whether what a critic brings is known to bear on what this side claims. */
export function isRelated(file: CaseFile, brought: string[], claimed: string[]): boolean {
  const known = brought.filter((id) => findEvidence(file, id));
  return [...findRelations(telling, known, claimed), ...findRelations(telling, claimed, known)].length > 0;
}

function listEvidence({ claims }: AgentOutput): string[] {
  return claims.flatMap(({ evidence }) => evidence);
}
