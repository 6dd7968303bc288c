import type { CaseFile } from "../../../knowledge/law/index.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import { claimOf } from "../schemas/round.ts";
import type { Critique, CritiqueMessage, CritiqueVerdict, Severity } from "../schemas/critique-message.ts";
import type { AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import { findClashes } from "./claims/clashes.ts";
import { inspectClaim } from "./claims/defects.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";

const maxCritiques = 8;
const rank: Record<Severity, number> = { CRITICAL: 0, MAJOR: 1, MINOR: 2 };

type Found = Omit<Critique, "id">;

/** The expert critic: holds every claim of the other side against its sources, the rules and its own side's norms. Only real critiques. */
export function criticise(input: CriticInput): CritiqueMessage {
  const { agent, round, target, earlier } = input;
  const raised = new Set(earlier.map(({ critique }) => writeKey(critique)));
  const found = [...criticiseClashes(input), ...criticiseDefects(input)]
    .filter((one) => !raised.has(writeKey(one)))
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .slice(0, maxCritiques);
  return {
    round,
    agent,
    target: target.agent,
    critiques: found.map((one, index) => ({ id: `K${earlier.length + index + 1}`, ...one })),
    verdicts: earlier.map((one) => judgeEarlier(input, one)),
  };
}

function writeKey({ target_claim_id, issue_type }: Pick<Critique, "target_claim_id" | "issue_type">): string {
  return `${target_claim_id} ${issue_type}`;
}

function criticiseDefects({ file, target }: CriticInput): Found[] {
  return target.claims.flatMap((claim) =>
    inspectClaim(file, claim).map(({ issue_type, severity, description, suggested_fix }) => ({
      target_claim_id: claim.id,
      issue_type,
      description,
      severity,
      suggested_fix,
    })),
  );
}

/** One critique for each issue that a norm of the critic's own side answers differently. */
function criticiseClashes({ file, agent, own, target }: CriticInput): Found[] {
  const [nla, ala]: [AgentOutput, AgentOutput] = agent === "NLA" ? [own, target] : [target, own];
  const phrases = phrasesOf(file.retrieval.language);
  const clashes = findClashes(file, nla, ala).map((clash) => ({
    issue: clash.issue,
    theirs: agent === "NLA" ? clash.ala : clash.nla,
    mine: agent === "NLA" ? clash.nla : clash.ala,
  }));
  return clashes.map(({ issue, theirs, mine }) => ({
    target_claim_id: theirs.id,
    issue_type: "conflict",
    severity: "MAJOR",
    ...phrases.clash(issue, `${agent}:${mine.id}`),
  }));
}

/** Withdrawn when the claim is gone, the defect is mended, or a clash was answered with evidence; upheld otherwise. */
function judgeEarlier({ file, target }: CriticInput, { critique, response }: AnsweredCritique): CritiqueVerdict {
  const phrases = phrasesOf(file.retrieval.language).verdicts;
  const claim = claimOf(target, critique.target_claim_id);
  const withdrawn = (reason: string): CritiqueVerdict => ({ critique_id: critique.id, verdict: "withdrawn", reason });
  if (!claim) return withdrawn(phrases.dropped());
  if (critique.issue_type === "conflict" && response && isAnswered(file, response))
    return withdrawn(phrases.explained());
  const still = inspectClaim(file, claim).find(({ issue_type }) => issue_type === critique.issue_type);
  if (!still && critique.issue_type !== "conflict") return withdrawn(phrases.mended());
  return { critique_id: critique.id, verdict: "upheld", reason: still?.description ?? phrases.unanswered() };
}

function isAnswered({ retrieval }: CaseFile, response: NonNullable<AnsweredCritique["response"]>): boolean {
  return (
    response.reason.trim() !== "" &&
    (response.response === "accepted" ||
      response.evidence.some((id) => retrieval.evidence.some((item) => item.id === id)))
  );
}
