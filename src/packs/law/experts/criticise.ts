import { type Domain, findEvidence, titleOf } from "../../../knowledge/law/index.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import type { CriticInput } from "../rules/role-inputs.ts";
import { type Agent, type AgentOutput, opponentOf } from "../schemas/agent-output.ts";
import type { Critique, CritiqueMessage, Severity } from "../schemas/critique-message.ts";
import { findDecisive } from "./claims/answers-to-clash.ts";
import { findClashes, findClosest } from "./claims/clashes.ts";
import { inspectClaim } from "./claims/defects.ts";
import { isForeign, isInvoked } from "./claims/invoked.ts";
import { findUnsaidLimits, joinTitles, sayLimit } from "./claims/limits.ts";
import { findOmissions } from "./claims/omissions.ts";
import { judgeEarlier } from "./judge-earlier.ts";

const maxCritiques = 8;
const expected = 3;
const rank: Record<Severity, number> = { CRITICAL: 0, MAJOR: 1, MINOR: 2 };
const sides: Record<Agent, Domain> = { NLA: "national", ALA: "adat" };

type Found = Omit<Critique, "id">;

/** The expert critic: holds every claim of the other side against its sources, the rules and its own side's norms. Only real critiques. */
export function criticise(input: CriticInput): CritiqueMessage {
  const { agent, round, target, earlier, final = false, file } = input;
  const raised = new Set(earlier.map(({ critique }) => writeKey(critique)));
  const all = [
    ...criticiseUnasked(input),
    ...criticiseOverridden(input),
    ...criticiseClashes(input),
    ...criticiseLimits(input),
    ...criticiseOmissions(input),
    ...criticiseDefects(input),
  ];
  const found = all
    .filter((one) => !final && !raised.has(writeKey(one)))
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .slice(0, maxCritiques);
  return {
    round,
    agent,
    target: target.agent,
    verdicts: earlier.map((one) => judgeEarlier(input, one)),
    critiques: found.map((one, index) => ({ id: `K${earlier.length + index + 1}`, ...one })),
    fewer_reason: found.length < expected ? phrasesOf(file.retrieval.language).fewerCritiques() : null,
  };
}

function writeKey({ target_claim_id, issue_type, evidence }: Found): string {
  const about = target_claim_id === null || issue_type === "logic_gap" ? evidence.join(" ") : "";
  return `${target_claim_id ?? ""} ${issue_type} ${about}`;
}

function criticiseDefects({ file, target }: CriticInput): Found[] {
  return target.claims.flatMap((claim) =>
    inspectClaim(file, claim).map(({ issue_type, severity, description, suggested_fix }) => ({
      target_claim_id: claim.id,
      description,
      evidence: [],
      issue_type,
      severity,
      suggested_fix,
    })),
  );
}

/** One critique for each issue that a norm of the critic's own side answers differently; the norm is brought along. */
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
    evidence: mine.evidence,
    issue_type: "conflict",
    severity: "MAJOR",
    ...phrases.clash(issue, `${agent}:${mine.id}`),
  }));
}

/** A national rule that decides the matter whatever adat says, against the adat claim that comes closest to it. */
function criticiseOverridden({ file, agent, own, target }: CriticInput): Found[] {
  if (agent !== "NLA") return [];
  const { language } = file.retrieval;
  return findDecisive(file, listEvidence(own)).flatMap((relation) => {
    const mine = own.claims.find(({ evidence }) => relation.national.some((id) => evidence.includes(id)));
    const issue = language === "en" ? relation.issue_en : relation.issue;
    const theirs = findClosest(target.claims, issue, language);
    if (!mine || !theirs || relation.national.some((id) => theirs.evidence.includes(id))) return [];
    return [
      {
        target_claim_id: theirs.id,
        evidence: mine.evidence.filter((id) => relation.national.includes(id)),
        issue_type: "conflict" as const,
        severity: "MAJOR" as const,
        ...phrasesOf(language).overridden(issue, `${agent}:${mine.id}`),
      },
    ];
  });
}

/** Exceptions, later law, forms and capacities of the other side's own law that a claim leaves out although the question calls for them. */
function criticiseLimits({ file, target }: CriticInput): Found[] {
  return target.claims.flatMap((claim) =>
    findUnsaidLimits(file, claim).map(({ limit, items }) => ({
      target_claim_id: claim.id,
      evidence: items.map(({ id }) => id),
      issue_type: "logic_gap" as const,
      severity: limit.effect === "sets_aside" ? ("MAJOR" as const) : ("MINOR" as const),
      ...phrasesOf(file.retrieval.language).limit(sayLimit(file, limit), joinTitles(file, items)),
    })),
  );
}

function listEvidence({ claims }: AgentOutput): string[] {
  return claims.flatMap(({ evidence }) => evidence);
}

/** What the other side leaves out although the critic's side holds it; nothing of a law that nobody asks for. */
function criticiseOmissions({ file, agent, own, target }: CriticInput): Found[] {
  const { language } = file.retrieval;
  if (isForeign(file, target.agent) && !target.claims.some((claim) => isInvoked(file, claim))) return [];
  return findOmissions(file, sides[agent], own, target).map(({ issue, evidence }) => ({
    target_claim_id: null,
    evidence,
    issue_type: "logic_gap",
    severity: "MAJOR",
    ...phrasesOf(language).omission(
      issue,
      evidence
        .flatMap((id) => findEvidence(file, id) ?? [])
        .map((item) => titleOf(item, language))
        .join("; "),
    ),
  }));
}

/** On a question of the critic's own law alone, norms of the other law that nobody invokes. */
function criticiseUnasked({ file, agent, target }: CriticInput): Found[] {
  if (!isForeign(file, opponentOf(agent))) return [];
  return target.claims
    .filter((claim) => !isInvoked(file, claim))
    .map((claim) => ({
      target_claim_id: claim.id,
      evidence: [],
      issue_type: "domain_mismatch",
      severity: "MAJOR",
      ...phrasesOf(file.retrieval.language).unasked(opponentOf(agent)),
    }));
}
