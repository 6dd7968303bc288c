import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";
import {
  convergenceLine,
  critiqueStories,
  derivedOf,
  escalationLines,
  isQuotedIn,
  sourceName,
  sourcesOf,
} from "./story.ts";

/** The answer as a Markdown page: what is answered, on which sources, what was disputed and how it ended. */
export function writeAnswerMarkdown(decision: LawDecision): string {
  const labels = labelsOf(decision);
  const sections = [
    `# ${decision.query}`,
    `**${labels.position} ${decision.position}**: ${labels.positions[decision.position]}`,
    ...writeTitled(labels.answer, [decision.answer]),
    ...writeTitled(labels.reasons, writeBullets(decision.reasons)),
    ...writeTitled(labels.regimes, writeBullets(decision.applicable_regimes)),
    ...writeTitled(labels.dissent, decision.dissent === null ? [] : [decision.dissent]),
    ...writeTitled(labels.claims, decision.claims.length > 0 ? [writeClaims(decision)] : []),
    ...writeTitled(labels.critiques, writeBullets(writeCritiques(decision))),
    ...(decision.summary ? writeTitled(labels.convergence, [convergenceLine(decision)]) : []),
    ...writeTitled(labels.escalation, writeBullets(escalationLines(decision))),
    `> ${decision.disclaimer}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function writeTitled(title: string, body: string[]): string[] {
  return body.length === 0 ? [] : [`## ${title}`, ...body];
}

function writeBullets(lines: string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];
}

function writeClaims(decision: LawDecision): string {
  const labels = labelsOf(decision);
  return decision.claims
    .map((claim) => {
      const sources = sourcesOf(decision, claim).map(
        (source) =>
          `  - ${sourceName(decision, source)}${isQuotedIn(source, claim) ? "" : `: ${source.statement}`} (${source.source})`,
      );
      const derived = derivedOf(decision, claim);
      const assuming = claim.assumptions.map((one) => `  - ${labels.assumptions}: ${one}`);
      return [
        `- **${claim.claim}** (${labels.confidence} ${claim.confidence.toFixed(2)}) ${claim.statement}`,
        ...assuming,
        ...sources,
        ...(derived === "" ? [] : [`  - ${labels.derived}: ${derived}`]),
      ].join("\n");
    })
    .join("\n");
}

function writeCritiques(decision: LawDecision): string[] {
  const labels = labelsOf(decision);
  return critiqueStories(decision).map(({ name, on, critique, status, reply }) => {
    const answer = reply ? ` ${labels.response}: ${reply.reason}` : "";
    return `**${name} → ${on}** ${critique.issue_type}, ${critique.severity}, ${labels.status[status]}: ${critique.description}${answer}`;
  });
}
