import { type CaseFile, askFact, statementOf, titleOf } from "../../../knowledge/law/index.ts";
import type { Agent, AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { type Material, gatherMaterial } from "./claims/claim-material.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { rateConfidence } from "./claims/source-confidence.ts";

/** The expert's first answer: one claim per source, in its words, with what the rules conclude from it; nothing without a source. */
export function openAnswer({ file, agent, round }: AgentInput): AgentOutput {
  const claims = gatherMaterial(file, agent).map((material, index) => makeClaim(file, material, index));
  return {
    round,
    agent,
    answer: writeAnswer(file, agent, claims),
    claims,
    uncertainties: listUncertainties(file, claims),
    open_questions: listOpenQuestions(file, agent),
    responses: [],
  };
}

function makeClaim(file: CaseFile, { lead, supports, applications }: Material, index: number): Claim {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language);
  const applied = [...new Set(applications.map((one) => (language === "en" ? one.statement_en : one.statement)))];
  const statement = [
    phrases.accordingTo(titleOf(lead, language), statementOf(lead, language)),
    ...phrases.applied(applied),
  ];
  return {
    id: `C${index + 1}`,
    statement: statement.join(" "),
    evidence: [lead, ...supports].map(({ id }) => id),
    confidence: rateConfidence([lead, ...supports]),
    assumptions: [],
  };
}

const claimsInAnswer = 4;

/** An agent's answer in running text, made of its claims. */
export function writeAnswer(file: CaseFile, agent: Agent, claims: Claim[]): string {
  const phrases = phrasesOf(file.retrieval.language);
  if (claims.length === 0) return phrases.nothingKnown(agent);
  const sentences = claims
    .slice(0, claimsInAnswer)
    .map(({ statement, assumptions }) => phrases.under(assumptions, statement));
  return [phrases.opening(agent), ...sentences].join(" ");
}

function listUncertainties({ retrieval }: CaseFile, claims: Claim[]): string[] {
  const phrases = phrasesOf(retrieval.language);
  const cited = new Set(claims.flatMap(({ evidence }) => evidence));
  const unconfirmed = retrieval.evidence.filter(({ id, confidence }) => cited.has(id) && confidence === "unconfirmed");
  return [
    ...retrieval.cited.filter(({ known }) => !known).map(({ text }) => phrases.notInKnowledge(text)),
    ...unconfirmed.map((item) => phrases.unconfirmed(titleOf(item, retrieval.language))),
  ];
}

const maxQuestions = 3;

/** What the agent's rules would need to know to conclude more, or no longer what they conclude. */
function listOpenQuestions({ retrieval }: CaseFile, agent: Agent): string[] {
  const isOwn = (rule: string): boolean => rule.startsWith("rule:national:") === (agent === "NLA");
  const asked = retrieval.rules.unknown.filter(({ needed_by }) => needed_by.some(isOwn));
  return asked.slice(0, maxQuestions).map(({ fact }) => askFact(fact, retrieval.language));
}
