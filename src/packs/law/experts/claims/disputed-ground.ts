import { askFacts, type CaseFile, type Fact, sayFact } from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";

type Cited = Pick<Claim, "evidence">[];

/** The disputed facts that claims rest on, as clauses: "sawah termasuk pusako tinggi". */
export function sayDisputed(file: CaseFile, claims: Cited): string[] {
  const { language } = file.retrieval;
  return [...new Set(findDisputed(file, claims).map((fact) => sayFact(fact, language)))];
}

/** The same as what has to be found out. */
export function askDisputed(file: CaseFile, claims: Cited): string[] {
  return askFacts(findDisputed(file, claims), file.retrieval.language);
}

/** By the rules that the claims cite and what these conclude. */
function findDisputed({ retrieval: { rules, disputed = [] } }: CaseFile, claims: Cited): Fact[] {
  const cited = new Set(claims.flatMap(({ evidence }) => evidence));
  const drawn = new Set(rules.conclusions.filter(({ by }) => by.some((id) => cited.has(id))).map(({ fact }) => fact));
  return disputed.filter(({ bears }) => bears.some((fact) => drawn.has(fact))).map(({ fact }) => fact);
}
