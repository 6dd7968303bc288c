import type { CaseFile } from "../case-file.ts";
import type { AgentOutput, Claim } from "../messages/agent-output.ts";
import type { ClaimContradiction } from "../messages/round.ts";
import { relationsBetween } from "./norm-relations.ts";

/** A point on which two claims answer differently: by a known relation of norms, or by the rules' conclusions. */
export type Clash = { nla: Claim; ala: Claim; issue: string; by: string[] };

/** Where the two sides' claims answer the same question differently. */
export function clashesBetween(file: CaseFile, nla: AgentOutput, ala: AgentOutput): Clash[] {
  return nla.claims.flatMap((national) => ala.claims.flatMap((adat) => clashOf(file, national, adat)));
}

function clashOf(file: CaseFile, nla: Claim, ala: Claim): Clash[] {
  const isEnglish = file.retrieval.language === "en";
  const [derived] = contradictionsOf(file, nla, ala);
  if (derived) return [{ nla, ala, issue: derived.statement, by: derived.by }];
  const [known] = relationsBetween("conflict", nla.evidence, ala.evidence);
  return known ? [{ nla, ala, issue: isEnglish ? known.issue_en : known.issue, by: [known.id] }] : [];
}

/** The pairs of claims that the rule engine says cannot both hold of this case. */
export function claimContradictions(file: CaseFile, nla: AgentOutput, ala: AgentOutput): ClaimContradiction[] {
  return nla.claims.flatMap((national) =>
    ala.claims.flatMap((adat) =>
      contradictionsOf(file, national, adat).map(({ by, statement }) => ({
        nla_claim_id: national.id,
        ala_claim_id: adat.id,
        by,
        statement,
      })),
    ),
  );
}

function contradictionsOf(file: CaseFile, nla: Claim, ala: Claim): { by: string[]; statement: string }[] {
  const { rules, language } = file.retrieval;
  return rules.contradictions
    .filter(
      ({ kind, by }) =>
        kind === "between" && by.some((id) => nla.evidence.includes(id)) && by.some((id) => ala.evidence.includes(id)),
    )
    .map(({ by, statement, statement_en }) => ({ by, statement: language === "en" ? statement_en : statement }));
}
