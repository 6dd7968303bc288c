import {
  type CaseFile,
  type Evidence,
  sayFact,
  readNamedRegimes,
  judgeFit,
  statementOf,
  extractTerms,
  titleOf,
} from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import type { IssueType, Severity } from "../../schemas/critique-message.ts";
import { findCitedItems, findForeignNumbers, measureSupport } from "./claim-support.ts";
import { sayDisputed } from "./disputed-ground.ts";
import { phrasesOf } from "../../rules/wording/phrases.ts";
import { stripStop } from "../../rules/wording/sentence.ts";
import { selectIndependent, rateConfidence } from "./source-confidence.ts";

/** Something wrong with a claim that its sources show, and what would mend it (null: the claim must go). */
export type Defect = {
  issue_type: IssueType;
  severity: Severity;
  description: string;
  suggested_fix: string;
  fix(claim: Claim): Claim | null;
};

type Inspection = (file: CaseFile, claim: Claim) => Defect[];

const minSupport = 0.4;
const minScopeShared = 0.4;
const overconfidence = 0.15;

/** Checks a claim against its own sources and the rules: is it supported, does it reach this case, is it as sure as it says? */
export function inspectClaim(file: CaseFile, claim: Claim): Defect[] {
  if (findCitedItems(file, claim).length === 0) return [findUnsupported(file)];
  return [
    findSourceMismatch,
    findNumberMismatch,
    findForeignRegime,
    findUnstatedScope,
    findDisputedGround,
    findPresumption,
    findUnconfirmedOnly,
    findOverconfidence,
  ].flatMap((inspect) => inspect(file, claim));
}

function findUnsupported(file: CaseFile): Defect {
  const phrases = phrasesOf(file.retrieval.language);
  return { issue_type: "evidence_gap", severity: "CRITICAL", ...phrases.defects.unsupported(), fix: () => null };
}

/** The cited text does not say what the claim says. */
const findSourceMismatch: Inspection = (file, claim) => {
  if (measureSupport(file, claim) >= minSupport) return [];
  const titles = joinTitles(file, findCitedItems(file, claim));
  const { sourceMismatch: say } = phrasesOf(file.retrieval.language).defects;
  return [{ issue_type: "evidence_gap", severity: "MAJOR", ...say(titles), fix: restateSource(file) }];
};

/** The claim has a number that its sources do not have. */
const findNumberMismatch: Inspection = (file, claim) => {
  const numbers = findForeignNumbers(file, claim);
  if (numbers.length === 0) return [];
  const { numberMismatch: say } = phrasesOf(file.retrieval.language).defects;
  return [{ issue_type: "overclaim", severity: "MAJOR", ...say(numbers.join(", ")), fix: restateSource(file) }];
};

/** A source of another community, or of a body of law that does not bind the people of this case. */
const findForeignRegime: Inspection = (file, claim) => {
  const items = selectIndependent(findCitedItems(file, claim));
  const foreign = items.filter(
    (item) => judgeFit(item, readNamedRegimes(file)) === "foreign" && !isScoped(file, claim, item),
  );
  if (foreign.length === 0) return [];
  const { language } = file.retrieval;
  const { foreignRegime: say } = phrasesOf(language).defects;
  const scopes = foreign.map((item) => scopeOf(item, language)).join(" ");
  const fix = (one: Claim): Claim | null => {
    const rest = one.evidence.filter((id) => !foreign.some((item) => item.id === id));
    const left = selectIndependent(findCitedItems(file, { evidence: rest }));
    if (left.length > 0) return { ...one, evidence: rest, confidence: Math.min(one.confidence, rateConfidence(left)) };
    return foreign.every(({ kind }) => kind === "jurisprudence") ? addScope(one, foreign, language) : null;
  };
  return [{ issue_type: "domain_mismatch", severity: "MAJOR", ...say(joinTitles(file, foreign), scopes), fix }];
};

/** A source that binds only some people, used without saying so. */
const findUnstatedScope: Inspection = (file, claim) => {
  const items = selectIndependent(findCitedItems(file, claim));
  const fits = items.map((item) => ({ item, fit: judgeFit(item, readNamedRegimes(file)) }));
  const unstated = fits.filter(
    ({ item, fit }) => (fit === "unstated" || fit === "contested") && !isScoped(file, claim, item),
  );
  if (unstated.length === 0) return [];
  const { language } = file.retrieval;
  const only = unstated.map(({ item }) => item);
  const severity = unstated.some(({ fit }) => fit === "contested") ? "MAJOR" : "MINOR";
  const scopes = [...new Set(only.map((item) => scopeOf(item, language)))].join(" ");
  const { unstatedScope: say } = phrasesOf(language).defects;
  return [
    {
      issue_type: "overclaim",
      severity,
      ...say(joinTitles(file, only), scopes),
      fix: (one) => addScope(one, only, language),
    },
  ];
};

/** A claim that takes for granted what the question itself calls disputed or unknown (law spec §2.3). */
const findDisputedGround: Inspection = (file, claim) => {
  const { language } = file.retrieval;
  const said = [claim.statement, ...claim.assumptions].join(" ");
  const clauses = sayDisputed(file, [claim]).filter((clause) => !said.includes(clause));
  if (clauses.length === 0) return [];
  const phrases = phrasesOf(language);
  const fix = (one: Claim): Claim => ({ ...one, statement: phrases.onlyIf(clauses, one.statement) });
  return [{ issue_type: "logic_gap", severity: "MAJOR", ...phrases.defects.disputedGround(clauses), fix }];
};

/** A conclusion of the rules that an unstated fact would defeat, drawn without saying so. */
const findPresumption: Inspection = (file, claim) => {
  const { language, rules } = file.retrieval;
  const phrases = phrasesOf(language);
  const drawn = rules.conclusions.filter(
    ({ by, statement, statement_en }) =>
      by.some((id) => claim.evidence.includes(id)) &&
      claim.statement.includes(stripStop(language === "en" ? statement_en : statement)),
  );
  const facts = new Set(drawn.map(({ fact }) => fact));
  const clauses = rules.unknown
    .filter(({ would_defeat }) => would_defeat?.some((fact) => facts.has(fact)))
    .map(({ fact }) => sayFact(fact, language));
  const unsaid = clauses.filter((clause) => !claim.assumptions.some((one) => one.includes(clause)));
  if (unsaid.length === 0) return [];
  const fix = (one: Claim): Claim => ({ ...one, assumptions: [...one.assumptions, phrases.except(unsaid)] });
  return [{ issue_type: "logic_gap", severity: "MINOR", ...phrases.defects.presumption(unsaid), fix }];
};

/** Nothing but unconfirmed sources behind a claim that does not say so. */
const findUnconfirmedOnly: Inspection = (file, claim) => {
  const items = selectIndependent(findCitedItems(file, claim));
  const phrases = phrasesOf(file.retrieval.language);
  const note = phrases.unconfirmedSource();
  if (
    items.length === 0 ||
    items.some(({ confidence }) => confidence === "confirmed") ||
    claim.assumptions.includes(note)
  )
    return [];
  const fix = (one: Claim): Claim => ({
    ...one,
    confidence: Math.min(one.confidence, rateConfidence(items)),
    assumptions: [...one.assumptions, note],
  });
  return [
    { issue_type: "evidence_gap", severity: "MINOR", ...phrases.defects.unconfirmedOnly(joinTitles(file, items)), fix },
  ];
};

/** Surer than its sources allow. */
const findOverconfidence: Inspection = (file, claim) => {
  const supported = rateConfidence(findCitedItems(file, claim));
  if (claim.confidence <= supported + overconfidence) return [];
  const { overconfident: say } = phrasesOf(file.retrieval.language).defects;
  return [
    {
      issue_type: "overclaim",
      severity: "MINOR",
      ...say(claim.confidence, supported),
      fix: (one) => ({ ...one, confidence: supported }),
    },
  ];
};

/** Puts the claim back to the paraphrase of its first source. */
function restateSource(file: CaseFile) {
  return (claim: Claim): Claim | null => {
    const [lead] = findCitedItems(file, claim);
    if (!lead) return null;
    const { language } = file.retrieval;
    const statement = phrasesOf(language).accordingTo(titleOf(lead, language), statementOf(lead, language));
    return {
      ...claim,
      statement,
      evidence: [lead.id],
      confidence: Math.min(claim.confidence, rateConfidence([lead])),
    };
  };
}

function addScope(claim: Claim, items: Evidence[], language: "id" | "en"): Claim {
  return {
    ...claim,
    assumptions: [...new Set([...claim.assumptions, ...items.map((item) => scopeOf(item, language))])],
  };
}

/** Whether the claim itself says whom the source binds. */
function isScoped(file: CaseFile, claim: Claim, item: Evidence): boolean {
  const { language } = file.retrieval;
  const scope = new Set(extractTerms(scopeOf(item, language), language));
  const said = new Set(extractTerms([claim.statement, ...claim.assumptions].join(" "), language));
  return scope.size > 0 && scope.intersection(said).size / scope.size >= minScopeShared;
}

function scopeOf(item: Evidence, language: "id" | "en"): string {
  return (language === "en" ? item.scope_en : item.scope) ?? phrasesOf(language).bindsOnly(item);
}

function joinTitles(file: CaseFile, items: Evidence[]): string {
  return items.map((item) => titleOf(item, file.retrieval.language)).join("; ");
}
