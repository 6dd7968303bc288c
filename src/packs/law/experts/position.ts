import {
  type CaseFile,
  isPure,
  type NormRelation,
  selectOnIssue,
  findRelations,
} from "../../../knowledge/law/index.ts";
import type { AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { LawPosition } from "../schemas/supervision.ts";
import { findAgreements, type Clash } from "./claims/clashes.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";

/** What the claims that hold say together. */
export type Reading = { file: CaseFile; national: Claim[]; adat: Claim[]; clashes: Clash[] };

/** The position that the claims which hold support (law spec §5.2), with the reasons. */
export function findPosition(reading: Reading): { position: LawPosition; reasons: string[] } {
  const { file, national, adat, clashes } = reading;
  const phrases = phrasesOf(file.retrieval.language).reasons;
  const because = (position: LawPosition, ...reasons: string[]) => ({ position, reasons });
  if (national.length + adat.length === 0) return because("D", phrases.nothing());
  if (restsOnUnknown(reading)) return because("D", phrases.unknownProvision());
  if (adat.length === 0) return because("A", phrases.onlyNational());
  if (national.length === 0) return because("B", phrases.onlyAdat());
  const overriding = selectRelations(reading, ["overriding"]);
  if (overriding.length > 0) return because("A", phrases.overriding(writeIssues(file, overriding)));
  const { label } = file.route;
  if (isPure(file))
    return label === "pure_national" ? because("A", phrases.pureNational()) : because("B", phrases.pureAdat());
  if (label !== "consensus")
    return because(
      "C",
      ...(clashes.length > 0 ? clashes.map(({ issue }) => phrases.clash(issue)) : [phrases.claimedBoth()]),
    );
  return findConsensusPosition(reading);
}

/** Both laws speak without a declared clash: the relation closest to the question says whether they agree. */
function findConsensusPosition(reading: Reading): { position: LawPosition; reasons: string[] } {
  const { file, clashes } = reading;
  const phrases = phrasesOf(file.retrieval.language).reasons;
  const about = selectOnIssue(
    file.query,
    selectRelations(reading, ["conflict", "agreement", "reference"]).filter(({ adat }) => adat.length > 0),
  );
  const of = (kind: NormRelation["kind"]): NormRelation[] => about.filter((relation) => relation.kind === kind);
  const derived = clashes.length === 0 ? findAgreements(file, reading.national, reading.adat) : [];
  if (derived.length > 0) return { position: "A", reasons: derived.map(phrases.agreement) };
  if (of("agreement").length > 0)
    return { position: "A", reasons: [phrases.agreement(writeIssues(file, of("agreement")))] };
  if (of("reference").length > 0)
    return { position: "B", reasons: [phrases.reference(writeIssues(file, of("reference")))] };
  return clashes.length > 0
    ? { position: "C", reasons: clashes.map(({ issue }) => phrases.clash(issue)) }
    : { position: "A", reasons: [phrases.alike()] };
}

/** The question asks for a provision that is not known, and no adat norm or known provision answers it either way. */
function restsOnUnknown({ file, adat }: Reading): boolean {
  const { cited } = file.retrieval;
  return (
    cited.some(({ known }) => !known) &&
    !cited.some(({ known }) => known) &&
    (adat.length === 0 || file.route.label === "pure_national")
  );
}

/** The relations of these kinds between the claims that hold. */
export function selectRelations({ national, adat }: Reading, kinds: NormRelation["kind"][]): NormRelation[] {
  return findRelations(kinds, listEvidence(national), listEvidence(adat));
}

/** The issues of relations in the answer's language. */
export function writeIssues({ retrieval }: CaseFile, relations: NormRelation[]): string {
  return relations.map(({ issue, issue_en }) => (retrieval.language === "en" ? issue_en : issue)).join("; ");
}

function listEvidence(claims: Claim[]): string[] {
  return claims.flatMap(({ evidence }) => evidence);
}

/** A claim with the name the supervisor uses for it. */
export function nameClaim(output: Pick<AgentOutput, "agent">, claim: Claim): string {
  return `${output.agent}:${claim.id}`;
}
