import type { CaseFile } from "../../../knowledge/law/index.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import type { ClaimContradiction } from "../schemas/round.ts";

/** The conflicts of norms that the rule engine derives between the two sides' claims, each with the first claims that rest on it. */
export function findClaimContradictions(
  { retrieval }: CaseFile,
  nla: AgentOutput,
  ala: AgentOutput,
): ClaimContradiction[] {
  const resting = ({ claims }: AgentOutput, by: string[]) =>
    claims.find(({ evidence }) => by.some((id) => evidence.includes(id)));
  return retrieval.rules.contradictions.flatMap(({ kind, by, statement, statement_en }) => {
    const [national, adat] = [resting(nla, by), resting(ala, by)];
    if (kind !== "between" || !national || !adat) return [];
    const said = retrieval.language === "en" ? statement_en : statement;
    return [{ nla_claim_id: national.id, ala_claim_id: adat.id, by, statement: said }];
  });
}
