import { type CaseFile, onIssue } from "../../../knowledge/law/index.ts";
import type { Claim } from "../schemas/agent-output.ts";
import type { LawPosition } from "../schemas/supervision.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { citedItems } from "./claims/claim-support.ts";
import { agreementsBetween } from "./claims/clashes.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { issuesOf, nameOf, type Reading, relationsOf } from "./position.ts";
import { independentSources } from "./claims/source-confidence.ts";

/** What the answer is written from: the claims that stand, the position they support and the claims it uses. */
export type Conclusion = { reading: Reading; position: LawPosition; used: string[] };

/** The supervisor's answer: what is not known, the position, both readings, their limits, and where they meet or part. */
export function supervisorAnswer(conclusion: Conclusion, { nla, ala, summary }: SupervisorInput): string {
  const { reading, position, used } = conclusion;
  const { file, clashes } = reading;
  const { language, cited, communities } = file.retrieval;
  const phrases = phrasesOf(language).answer;
  const unknown = cited.filter(({ known }) => !known).map(({ text }) => text);
  const questions = used.length > 0 ? [...new Set([...nla.open_questions, ...ala.open_questions])] : [];
  const parts = [
    unknown.length > 0 ? phrases.unknown(unknown) : "",
    phrases.verdict(position),
    position === "D" ? phrases.insufficient(nearest(reading)) : "",
    readingText(phrases.national(), usedOf(conclusion, "NLA"), "NLA"),
    readingText(phrases.adat(communities), usedOf(conclusion, "ALA"), "ALA"),
    position === "C" && clashes.length > 0 ? phrases.clashes(clashes.map(({ issue }) => issue)) : "",
    position !== "C" && used.length > 0 ? agreedText(reading) : "",
    limitsText(file, [...usedOf(conclusion, "NLA"), ...usedOf(conclusion, "ALA")]),
    questions.length > 0 ? phrases.depends(questions) : "",
    summary.needs_human_review ? phrases.humanReview(summary.reasons.map(({ code }) => code)) : "",
    phrasesOf(language).disclaimer(),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function usedOf({ reading, used }: Conclusion, agent: "NLA" | "ALA"): Claim[] {
  return (agent === "NLA" ? reading.national : reading.adat).filter((claim) => used.includes(nameOf({ agent }, claim)));
}

function readingText(heading: string, claims: Claim[], agent: "NLA" | "ALA"): string {
  if (claims.length === 0) return "";
  return [heading, ...claims.map((claim) => `- ${claim.statement} [${nameOf({ agent }, claim)}]`)].join("\n");
}

/** The assumptions under which the used claims hold, each once. */
function limitsText(file: CaseFile, claims: Claim[]): string {
  const limits = [...new Set(claims.flatMap(({ assumptions }) => assumptions))];
  return limits.length === 0 ? "" : phrasesOf(file.retrieval.language).answer.limits(limits);
}

function agreedText(reading: Reading): string {
  const { file } = reading;
  const relations = relationsOf(reading, ["agreement", "reference"]).filter(({ adat }) => adat.length > 0);
  const known = onIssue(file.query, relations);
  const agreed =
    known.length > 0 ? issuesOf(file, known) : agreementsBetween(file, reading.national, reading.adat).join("; ");
  return agreed === "" ? "" : phrasesOf(file.retrieval.language).answer.agreed(agreed);
}

/** The sources nearest to a question that cannot be answered. */
function nearest({ file, national, adat }: Reading): string[] {
  const items = [...national, ...adat].flatMap((claim) => independentSources(citedItems(file, claim)));
  return [...new Set(items.map((item) => (file.retrieval.language === "en" ? item.title_en : item.title)))];
}
