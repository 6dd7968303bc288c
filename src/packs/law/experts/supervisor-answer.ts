import { type CaseFile, selectOnIssue } from "../../../knowledge/law/index.ts";
import type { Claim } from "../schemas/agent-output.ts";
import type { LawPosition } from "../schemas/supervision.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { findAgreements } from "./claims/clashes.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { writeGaps, writeIssues, nameClaim, type Reading, selectRelations } from "./position.ts";
import { selectIndependent } from "./claims/source-confidence.ts";

/** What the answer is written from: the claims that hold, the position they support, the claims it uses and the disputed facts these rest on. */
export type Conclusion = { reading: Reading; position: LawPosition; used: string[]; disputed: string[] };

/** The supervisor's answer: what is not known, the position, both readings, their limits, and where they meet or part. */
export function writeSupervisorAnswer(conclusion: Conclusion, { nla, ala, summary }: SupervisorInput): string {
  const { reading, position, used, disputed } = conclusion;
  const { file, clashes } = reading;
  const { language, cited, communities } = file.retrieval;
  const phrases = phrasesOf(language).answer;
  const unknown = cited.filter(({ known }) => !known).map(({ text }) => text);
  const questions = used.length > 0 ? [...new Set([...nla.open_questions, ...ala.open_questions])] : [];
  const parts = [
    unknown.length > 0 ? phrases.unknown(unknown) : "",
    phrases.positionLine(position),
    position === "D" ? phrases.insufficient(listNearest(reading)) : "",
    writeGaps(file).length > 0 ? phrases.gaps(writeGaps(file)) : "",
    writeReading(phrases.national(), selectUsed(conclusion, "NLA"), "NLA"),
    writeReading(phrases.adat(communities), selectUsed(conclusion, "ALA"), "ALA"),
    position === "C" && clashes.length > 0 ? phrases.clashes(clashes.map(({ issue }) => issue)) : "",
    position !== "C" && used.length > 0 ? writeAgreed(reading) : "",
    writeLimits(file, [...selectUsed(conclusion, "NLA"), ...selectUsed(conclusion, "ALA")]),
    disputed.length > 0 ? phrases.disputed(disputed) : "",
    questions.length > 0 ? phrases.depends(questions) : "",
    summary.needs_human_review ? phrases.humanReview(summary.reasons.map(({ message }) => message)) : "",
    phrasesOf(language).disclaimer(),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function selectUsed({ reading, used }: Conclusion, agent: "NLA" | "ALA"): Claim[] {
  return (agent === "NLA" ? reading.national : reading.adat).filter((claim) =>
    used.includes(nameClaim({ agent }, claim)),
  );
}

function writeReading(heading: string, claims: Claim[], agent: "NLA" | "ALA"): string {
  if (claims.length === 0) return "";
  return [heading, ...claims.map((claim) => `- ${claim.statement} [${nameClaim({ agent }, claim)}]`)].join("\n");
}

/** The assumptions under which the used claims hold, each once. */
function writeLimits(file: CaseFile, claims: Claim[]): string {
  const limits = [...new Set(claims.flatMap(({ assumptions }) => assumptions))];
  return limits.length === 0 ? "" : phrasesOf(file.retrieval.language).answer.limits(limits);
}

function writeAgreed(reading: Reading): string {
  const { file } = reading;
  const relations = selectRelations(reading, ["agreement", "reference"]).filter(({ adat }) => adat.length > 0);
  const known = selectOnIssue(file.read, relations);
  const agreed =
    known.length > 0 ? writeIssues(file, known) : findAgreements(file, reading.national, reading.adat).join("; ");
  return agreed === "" ? "" : phrasesOf(file.retrieval.language).answer.agreed(agreed);
}

/** The sources nearest to a question that cannot be answered. */
function listNearest({ file, national, adat }: Reading): string[] {
  const items = [...national, ...adat].flatMap((claim) => selectIndependent(findCitedItems(file, claim)));
  return [...new Set(items.map((item) => (file.retrieval.language === "en" ? item.title_en : item.title)))];
}
