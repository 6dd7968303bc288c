import { type CaseFile, factQuestion, statementIn, titleIn } from "../../../knowledge/law/index.ts";
import type { Agent, AgentOutput, Claim } from "../schemas/agent-output.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { type Material, materialFor } from "./claims/claim-material.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { sourceConfidence } from "./claims/source-confidence.ts";

/** The expert's first answer: one claim a source, in its words, with what the rules conclude from it; nothing without a source. */
export function openAnswer({ file, agent, round }: AgentInput): AgentOutput {
  const claims = materialFor(file, agent).map((material, index) => claimFrom(file, material, index));
  return {
    round,
    agent,
    answer: answerText(file, agent, claims),
    claims,
    uncertainties: uncertaintiesOf(file, claims),
    open_questions: openQuestions(file, agent),
    responses: [],
  };
}

function claimFrom(file: CaseFile, { lead, supports, applications }: Material, index: number): Claim {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language);
  const applied = [...new Set(applications.map((one) => (language === "en" ? one.statement_en : one.statement)))];
  const statement = [
    phrases.accordingTo(titleIn(lead, language), statementIn(lead, language)),
    ...phrases.applied(applied),
  ];
  return {
    id: `C${index + 1}`,
    statement: statement.join(" "),
    evidence: [lead, ...supports].map(({ id }) => id),
    confidence: sourceConfidence([lead, ...supports]),
    assumptions: [],
  };
}

const claimsInAnswer = 4;

/** An agent's answer in running text, made of its claims. */
export function answerText(file: CaseFile, agent: Agent, claims: Claim[]): string {
  const phrases = phrasesOf(file.retrieval.language);
  if (claims.length === 0) return phrases.nothingKnown(agent);
  const sentences = claims
    .slice(0, claimsInAnswer)
    .map(({ statement, assumptions }) => phrases.under(assumptions, statement));
  return [phrases.opening(agent), ...sentences].join(" ");
}

function uncertaintiesOf({ retrieval }: CaseFile, claims: Claim[]): string[] {
  const phrases = phrasesOf(retrieval.language);
  const cited = new Set(claims.flatMap(({ evidence }) => evidence));
  const unconfirmed = retrieval.evidence.filter(({ id, confidence }) => cited.has(id) && confidence === "unconfirmed");
  return [
    ...retrieval.cited.filter(({ known }) => !known).map(({ text }) => phrases.notInKnowledge(text)),
    ...unconfirmed.map((item) => phrases.unconfirmed(titleIn(item, retrieval.language))),
  ];
}

const maxQuestions = 3;

/** What the agent's rules would need to know to conclude more, or no longer what they conclude. */
function openQuestions({ retrieval }: CaseFile, agent: Agent): string[] {
  const isOwn = (rule: string): boolean => rule.startsWith("rule:national:") === (agent === "NLA");
  const asked = retrieval.rules.unknown.filter(({ needed_by }) => needed_by.some(isOwn));
  return asked.slice(0, maxQuestions).map(({ fact }) => factQuestion(fact, retrieval.language));
}
