import {
  type CaseFile,
  type Evidence,
  factClause,
  namedRegimes,
  regimeFit,
  statementIn,
  termsOf,
  titleIn,
} from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import type { IssueType, Severity } from "../../schemas/critique-message.ts";
import { citedItems, foreignNumbers, supportOf } from "./claim-support.ts";
import { phrasesOf } from "../../rules/wording/phrases.ts";
import { bare } from "../../rules/wording/sentence.ts";
import { independentSources, sourceConfidence } from "./source-confidence.ts";

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
  if (citedItems(file, claim).length === 0) return [unsupported(file)];
  return [
    sourceMismatch,
    numberMismatch,
    foreignRegime,
    unstatedScope,
    presumption,
    unconfirmedOnly,
    overconfident,
  ].flatMap((inspect) => inspect(file, claim));
}

function unsupported(file: CaseFile): Defect {
  const phrases = phrasesOf(file.retrieval.language);
  return { issue_type: "evidence_gap", severity: "CRITICAL", ...phrases.defects.unsupported(), fix: () => null };
}

/** The cited text does not say what the claim says. */
const sourceMismatch: Inspection = (file, claim) => {
  if (supportOf(file, claim) >= minSupport) return [];
  const titles = titlesOf(file, citedItems(file, claim));
  const { sourceMismatch: say } = phrasesOf(file.retrieval.language).defects;
  return [{ issue_type: "evidence_gap", severity: "MAJOR", ...say(titles), fix: asItsSourceSays(file) }];
};

/** The claim has a number that its sources do not have. */
const numberMismatch: Inspection = (file, claim) => {
  const numbers = foreignNumbers(file, claim);
  if (numbers.length === 0) return [];
  const { numberMismatch: say } = phrasesOf(file.retrieval.language).defects;
  return [{ issue_type: "overclaim", severity: "MAJOR", ...say(numbers.join(", ")), fix: asItsSourceSays(file) }];
};

/** A source of another community, or of a body of law that does not bind the people of this case. */
const foreignRegime: Inspection = (file, claim) => {
  const items = independentSources(citedItems(file, claim));
  const foreign = items.filter(
    (item) => regimeFit(item, namedRegimes(file)) === "foreign" && !isScoped(file, claim, item),
  );
  if (foreign.length === 0) return [];
  const { language } = file.retrieval;
  const { foreignRegime: say } = phrasesOf(language).defects;
  const scopes = foreign.map((item) => scopeOf(item, language)).join(" ");
  const fix = (one: Claim): Claim | null => {
    const rest = one.evidence.filter((id) => !foreign.some((item) => item.id === id));
    const left = independentSources(citedItems(file, { evidence: rest }));
    if (left.length > 0)
      return { ...one, evidence: rest, confidence: Math.min(one.confidence, sourceConfidence(left)) };
    return foreign.every(({ kind }) => kind === "jurisprudence") ? scoped(one, foreign, language) : null;
  };
  return [{ issue_type: "domain_mismatch", severity: "MAJOR", ...say(titlesOf(file, foreign), scopes), fix }];
};

/** A source that binds only some people, used without saying so. */
const unstatedScope: Inspection = (file, claim) => {
  const items = independentSources(citedItems(file, claim));
  const fits = items.map((item) => ({ item, fit: regimeFit(item, namedRegimes(file)) }));
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
      ...say(titlesOf(file, only), scopes),
      fix: (one) => scoped(one, only, language),
    },
  ];
};

/** A conclusion of the rules that an unstated fact would defeat, drawn without saying so. */
const presumption: Inspection = (file, claim) => {
  const { language, rules } = file.retrieval;
  const phrases = phrasesOf(language);
  const drawn = rules.conclusions.filter(
    ({ by, statement, statement_en }) =>
      by.some((id) => claim.evidence.includes(id)) &&
      claim.statement.includes(bare(language === "en" ? statement_en : statement)),
  );
  const facts = new Set(drawn.map(({ fact }) => fact));
  const clauses = rules.unknown
    .filter(({ would_defeat }) => would_defeat?.some((fact) => facts.has(fact)))
    .map(({ fact }) => factClause(fact, language));
  const unsaid = clauses.filter((clause) => !claim.assumptions.some((one) => one.includes(clause)));
  if (unsaid.length === 0) return [];
  const fix = (one: Claim): Claim => ({ ...one, assumptions: [...one.assumptions, phrases.except(unsaid)] });
  return [{ issue_type: "logic_gap", severity: "MINOR", ...phrases.defects.presumption(unsaid), fix }];
};

/** Nothing but unconfirmed sources behind a claim that does not say so. */
const unconfirmedOnly: Inspection = (file, claim) => {
  const items = independentSources(citedItems(file, claim));
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
    confidence: Math.min(one.confidence, sourceConfidence(items)),
    assumptions: [...one.assumptions, note],
  });
  return [
    { issue_type: "evidence_gap", severity: "MINOR", ...phrases.defects.unconfirmedOnly(titlesOf(file, items)), fix },
  ];
};

/** Surer than its sources allow. */
const overconfident: Inspection = (file, claim) => {
  const supported = sourceConfidence(citedItems(file, claim));
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
function asItsSourceSays(file: CaseFile) {
  return (claim: Claim): Claim | null => {
    const [lead] = citedItems(file, claim);
    if (!lead) return null;
    const { language } = file.retrieval;
    const statement = phrasesOf(language).accordingTo(titleIn(lead, language), statementIn(lead, language));
    return {
      ...claim,
      statement,
      evidence: [lead.id],
      confidence: Math.min(claim.confidence, sourceConfidence([lead])),
    };
  };
}

function scoped(claim: Claim, items: Evidence[], language: "id" | "en"): Claim {
  return {
    ...claim,
    assumptions: [...new Set([...claim.assumptions, ...items.map((item) => scopeOf(item, language))])],
  };
}

/** Whether the claim itself says whom the source binds. */
function isScoped(file: CaseFile, claim: Claim, item: Evidence): boolean {
  const { language } = file.retrieval;
  const scope = new Set(termsOf(scopeOf(item, language), language));
  const said = new Set(termsOf([claim.statement, ...claim.assumptions].join(" "), language));
  return scope.size > 0 && scope.intersection(said).size / scope.size >= minScopeShared;
}

function scopeOf(item: Evidence, language: "id" | "en"): string {
  return (language === "en" ? item.scope_en : item.scope) ?? phrasesOf(language).bindsOnly(item);
}

function titlesOf(file: CaseFile, items: Evidence[]): string {
  return items.map((item) => titleIn(item, file.retrieval.language)).join("; ");
}
