import { type CaseFile, findRelations, type NormRelation, selectOnIssue } from "../../../knowledge/law/index.ts";
import type { AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { LawPosition } from "../schemas/supervision.ts";
import { findAgreements, type Clash } from "./claims/clashes.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";

/** What the claims that hold say together. */
export type Reading = {
  file: CaseFile;
  national: Claim[];
  adat: Claim[];
  clashes: Clash[];
  /** True when critics have spoken: then what nobody raised or gave way to does not decide. */
  wasCriticised: boolean;
};

type Found = { position: LawPosition; reasons: string[] };

/** The position that the claims which hold support (law spec §5.2), with the reasons; the route only decides what they leave open. */
export function findPosition(reading: Reading): Found {
  const { file, national, adat, clashes } = reading;
  const phrases = phrasesOf(file.retrieval.language).reasons;
  const because = (position: LawPosition, ...reasons: string[]) => ({ position, reasons });
  if (national.length + adat.length === 0)
    return because(
      "D",
      writeGaps(file).length > 0 ? phrases.unknownAdat(writeGaps(file).join("; ")) : phrases.nothing(),
    );
  if (restsOnUnknown(reading)) return because("D", phrases.unknownProvision());
  if (asksUnknownAdat(reading)) return because("D", phrases.unknownAdat(writeGaps(file).join("; ")));
  if (adat.length === 0) return because("A", phrases.onlyNational());
  if (national.length === 0) return because("B", phrases.onlyAdat());
  const overriding = findOverriding(reading);
  if (overriding.length > 0) return because("A", phrases.overriding(writeIssues(file, overriding)));
  const clashing = clashes.map(({ issue }) => phrases.clash(issue));
  if (clashes.length > 0 && file.route.label !== "consensus") return because("C", ...clashing);
  const alike = findAlike(reading);
  if (alike) return alike;
  return clashes.length > 0 ? because("C", ...clashing) : followRoute(reading);
}

/** National rules that decide the matter whatever adat says: once critics have spoken, those that adat's own claims give way to. */
function findOverriding(reading: Reading): NormRelation[] {
  const yielded = new Set(listEvidence(reading.adat));
  const known = selectOnIssue(reading.file.read, selectRelations(reading, ["overriding"]));
  return reading.wasCriticised ? known.filter(({ national }) => national.some((id) => yielded.has(id))) : known;
}

/** Both sides' claims lead to the same result, by the rules or by a known relation of their norms; or national law leaves it to adat. */
function findAlike(reading: Reading): Found | null {
  const { file, clashes } = reading;
  const phrases = phrasesOf(file.retrieval.language).reasons;
  const about = selectOnIssue(
    file.read,
    selectRelations(reading, ["conflict", "agreement", "reference"]).filter(({ adat }) => adat.length > 0),
  );
  const of = (kind: NormRelation["kind"]): NormRelation[] => about.filter((relation) => relation.kind === kind);
  const derived = clashes.length === 0 ? findAgreements(file, reading.national, reading.adat) : [];
  if (derived.length > 0) return { position: "E", reasons: derived.map(phrases.agreement) };
  const agreed = file.route.label === "consensus" ? selectAgreements(reading) : of("agreement");
  if (agreed.length > 0) return { position: "E", reasons: [phrases.agreement(writeIssues(file, agreed))] };
  if (of("reference").length > 0 && file.route.label !== "conflict")
    return { position: "B", reasons: [phrases.reference(writeIssues(file, of("reference")))] };
  return null;
}

/** Where a question asks what both laws say, agreement is looked for by itself, not beside references that come closer. */
function selectAgreements(reading: Reading): NormRelation[] {
  return selectOnIssue(
    reading.file.read,
    selectRelations(reading, ["agreement"]).filter(({ adat }) => adat.length > 0),
  );
}

/** Where the best source of one law matches the question this many times better, the other only shares words with it. */
const clearly = 2;

/**
 * Both laws speak and nothing says how they relate: what the question looked like at first decides, unless national
 * law, which binds everybody, clearly speaks to the matter and adat hardly does.
 */
function followRoute({ file, national, adat }: Reading): Found {
  const phrases = phrasesOf(file.retrieval.language).reasons;
  const { label } = file.route;
  if (label === "pure_adat") return { position: "B", reasons: [phrases.pureAdat()] };
  if (label === "pure_national" || rateSources(file, national) >= clearly * rateSources(file, adat))
    return { position: "A", reasons: [phrases.pureNational()] };
  return label === "conflict"
    ? { position: "C", reasons: [phrases.claimedBoth()] }
    : { position: "E", reasons: [phrases.alike()] };
}

/** How well the best source of these claims matches the question. */
function rateSources({ retrieval }: CaseFile, claims: Claim[]): number {
  const cited = new Set(listEvidence(claims));
  return Math.max(0, ...retrieval.evidence.filter(({ id }) => cited.has(id)).map(({ score }) => score));
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

/** The question calls for the adat of a people of whom no norm is known; national law alone does not answer it. */
function asksUnknownAdat({ file, adat }: Reading): boolean {
  return adat.length === 0 && file.route.label !== "pure_national" && writeGaps(file).length > 0;
}

/** What is asked about and not held, in the answer's language. */
export function writeGaps({ retrieval: { gaps = [], language } }: CaseFile): string[] {
  return gaps.map(({ label, label_en }) => (language === "en" ? label_en : label));
}

/** The relations of these kinds between the claims that hold; a side may have taken over what the other brought. */
export function selectRelations({ national, adat }: Reading, kinds: NormRelation["kind"][]): NormRelation[] {
  const cited = listEvidence([...national, ...adat]);
  return findRelations(kinds, cited, cited);
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
