import type { Evidence } from "../../../../knowledge/law/index.ts";
import { english } from "./phrases-en.ts";
import { indonesian } from "./phrases-id.ts";

type Complaint = { description: string; suggested_fix: string };
type AgentName = "NLA" | "ALA";

/** What the experts say around what their sources say, in one language. */
export type Phrases = {
  accordingTo(title: string, statement: string): string;
  applied(statements: string[]): string[];
  under(assumptions: string[], statement: string): string;
  opening(agent: AgentName): string;
  nothingKnown(agent: AgentName): string;
  notInKnowledge(provision: string): string;
  unconfirmed(title: string): string;
  unconfirmedSource(): string;
  except(clauses: string[]): string;
  onlyIf(clauses: string[], statement: string): string;
  bindsOnly(item: Evidence): string;
  noEvidence(): string;
  openCritique(critique: string, description: string): string;
  notAsked(): string;
  regime(item: Evidence): string;
  dissent(clashes: string[], disputed: string[]): string;
  disclaimer(): string;
  clash(issue: string, claim: string): Complaint;
  overridden(issue: string, claim: string): Complaint;
  limit(issue: string, titles: string): Complaint;
  omission(issue: string, titles: string): Complaint;
  unasked(agent: AgentName): Complaint;
  fewerCritiques(): string;
  defects: {
    unsupported(): Complaint;
    sourceMismatch(titles: string): Complaint;
    numberMismatch(numbers: string): Complaint;
    foreignRegime(titles: string, scopes: string): Complaint;
    unstatedScope(titles: string, scopes: string): Complaint;
    unconfirmedOnly(titles: string): Complaint;
    presumption(clauses: string[]): Complaint;
    disputedGround(clauses: string[]): Complaint;
    overconfident(stated: number, supported: number): Complaint;
  };
  verdicts: {
    dropped(): string;
    bothStand(): string;
    released(): string;
    yielded(): string;
    mended(): string;
    unanswered(): string;
    added(): string;
    cited(): string;
    notAdded(): string;
    overridden(): string;
    ruledOut(): string;
    unlimited(issue: string): string;
    decides(): string;
    reconciled(): string;
  };
  responses: {
    alreadyDropped(): string;
    mended(fix: string): string;
    dropped(why: string): string;
    supported(titles: string): string;
    yields(titles: string): string;
    yielding(titles: string): string;
    keepsReading(agent: AgentName, titles: string, bridges: string): string;
    adds(titles: string): string;
    givesWay(titles: string): string;
    ruledOut(titles: string): string;
    decides(issues: string): string;
    reconciled(issues: string): string;
    unrelated(titles: string): string;
    asked(titles: string): string;
    notAsked(agent: AgentName): string;
  };
  reasons: {
    nothing(): string;
    unknownProvision(): string;
    unknownAdat(gaps: string): string;
    onlyNational(): string;
    onlyAdat(): string;
    pureNational(): string;
    pureAdat(): string;
    overriding(issues: string): string;
    clash(issue: string): string;
    claimedBoth(): string;
    agreement(issues: string): string;
    reference(issues: string): string;
    alike(): string;
    disputed(clauses: string[]): string;
  };
  answer: {
    unknown(provisions: string[]): string;
    positionLine(position: "A" | "B" | "C" | "D" | "E"): string;
    insufficient(known: string[]): string;
    gaps(gaps: string[]): string;
    national(): string;
    adat(communities: string[]): string;
    clashes(issues: string[]): string;
    limits(assumptions: string[]): string;
    agreed(issues: string): string;
    depends(questions: string[]): string;
    disputed(clauses: string[]): string;
    humanReview(reasons: string[]): string;
  };
};

/** The phrases of a language. */
export function phrasesOf(language: "id" | "en"): Phrases {
  return language === "en" ? english : indonesian;
}
