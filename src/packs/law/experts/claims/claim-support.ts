import {
  type CaseFile,
  findEvidence,
  type RetrievedEvidence,
  statementOf,
  extractTerms,
  titleOf,
} from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";

/** The retrieved items that a claim cites. */
export function findCitedItems(file: CaseFile, { evidence }: Pick<Claim, "evidence">): RetrievedEvidence[] {
  return evidence.flatMap((id) => findEvidence(file, id) ?? []);
}

/** The share of a claim's content words that its sources have. */
export function measureSupport(file: CaseFile, claim: Claim): number {
  const { language } = file.retrieval;
  const words = new Set(extractTerms(claim.statement, language));
  const known = new Set(extractTerms(joinSourceText(file, claim), language));
  return words.size === 0 ? 1 : words.intersection(known).size / words.size;
}

/** Numbers and fractions of a claim that neither its sources nor the question have. */
export function findForeignNumbers(file: CaseFile, claim: Claim): string[] {
  const known = findNumbers(`${joinSourceText(file, claim)} ${file.query}`);
  return [...findNumbers(claim.statement)].filter((number) => !known.has(number));
}

/** Everything a claim's sources say: titles, paraphrases, and what their rules conclude for this case. */
function joinSourceText(file: CaseFile, claim: Claim): string {
  const { language, rules } = file.retrieval;
  const cited = new Set(claim.evidence);
  const texts = findCitedItems(file, claim).flatMap((item) => [titleOf(item, language), statementOf(item, language)]);
  const concluded = rules.conclusions.filter(({ by }) => by.some((id) => cited.has(id)));
  return [...texts, ...concluded.map((one) => (language === "en" ? one.statement_en : one.statement))].join(" ");
}

const fractionWords: Record<string, string> = {
  setengah: "1/2",
  separuh: "1/2",
  seperdua: "1/2",
  half: "1/2",
  sepertiga: "1/3",
  third: "1/3",
  seperempat: "1/4",
  quarter: "1/4",
  seperenam: "1/6",
  sixth: "1/6",
  seperdelapan: "1/8",
  eighth: "1/8",
  "50%": "1/2",
  "25%": "1/4",
};
const fractionPattern = new RegExp(`(?<![\\p{L}\\d])(?:${Object.keys(fractionWords).join("|")})(?![\\p{L}\\d])`, "giu");

function findNumbers(text: string): Set<string> {
  const digits = [...text.matchAll(/\d+(?:[.,/:]\d+)*\s?%?/g)].map(([number]) => number.replaceAll(/\s/g, ""));
  const words = [...text.matchAll(fractionPattern)].map(([word]) => word.toLowerCase());
  return new Set([...digits, ...words].map((number) => fractionWords[number] ?? number));
}
