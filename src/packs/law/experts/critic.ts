import { nearBest } from "./author.ts";
import { findItem, itemBearsOn, statementOf, titleOf } from "../rules/evidence.ts";
import { findForeign } from "../rules/figures.ts";
import type { AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import { claimOf, critiqueOf } from "../schemas/decision.ts";
import type { Material } from "../schemas/material.ts";
import {
  type Claim,
  type Critique,
  type CritiqueMessage,
  type CritiqueVerdict,
  type Severity,
  sides,
} from "../schemas/messages.ts";
import { word } from "../words/word.ts";

type Found = Omit<Critique, "id">;
const most = 6;
const rank: Record<Severity, number> = { CRITICAL: 0, MAJOR: 1, MINOR: 2 };

/** The built-in critic: only well-founded critiques, against the sources, its own side's norms and material the author lacked. */
export function criticise(input: CriticInput): CritiqueMessage {
  const { agent, round, target, earlier, changed, material, said } = input;
  const isOpening = round === 1;
  const claims = target.claims.filter(({ id }) => isOpening || changed.includes(id));
  const raised = said.flatMap((one) => critiqueOf(one, agent)?.critiques ?? []);
  const isNew = (one: Found): boolean => !raised.some((other) => writeKey(other) === writeKey(one));
  const found = [
    ...claims.flatMap((claim) => inspectClaim(input, claim)),
    ...(isOpening ? [...findClash(input, claims), ...findOmission(input)] : []),
  ]
    .filter((one) => isNew(one) && (isOpening || one.severity !== "MINOR"))
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .slice(0, most);
  const faulted = new Set(found.map(({ target_claim_id }) => target_claim_id));
  return {
    round,
    agent,
    target: target.agent,
    verdicts: earlier.map((one) => judge(input, one)),
    critiques: found.map((one, index) => ({ id: `K${raised.length + index + 1}`, ...one })),
    cleared: claims.map(({ id }) => id).filter((id) => !faulted.has(id)),
    fewer_reason:
      isOpening || claims.length > 0
        ? word(material.language, claims.length > 0 ? "say.fewer" : "say.no_claims", {
            sought: material.frame.about.join(", "),
            claims: claims.map(({ id }) => id).join(", "),
            sources: quoteSources(input, claims),
          })
        : null,
  };
}

function quoteSources({ material }: CriticInput, claims: Claim[]): string {
  const items = claims.flatMap(({ evidence }) => findItem(material, evidence[0] ?? "") ?? []);
  return [...new Set(items)].map((item) => `${item.id}: ${statementOf(item, material.language)}`).join(" ");
}

function writeKey({ target_claim_id, issue_type, evidence }: Found): string {
  return `${target_claim_id ?? ""} ${issue_type} ${target_claim_id === null ? evidence.join(" ") : ""}`;
}

type Raised = { on?: string; evidence?: string[]; values?: Record<string, string> };

function raise(
  { language }: Material,
  key: string,
  [issue_type, severity]: [Critique["issue_type"], Severity],
  { on, evidence = [], values }: Raised,
): Found {
  const [description, suggested_fix] = [word(language, `defect.${key}`, values), word(language, `fix.${key}`)];
  return { target_claim_id: on ?? null, description, evidence, issue_type, severity, suggested_fix };
}

type Problem = [isWrong: boolean, key: string, Critique["issue_type"], Severity, evidence: string | undefined];

/** Problems of a claim, by the sources it cites and those it does not. */
function inspectClaim({ query, material }: CriticInput, claim: Claim): Found[] {
  const { language, frame } = material;
  const items = claim.evidence.flatMap((id) => findItem(material, id) ?? []);
  const better = material.evidence.find(({ answers, id }) => answers && !claim.evidence.includes(id));
  const figures = findForeign(claim, material, query).join(", ");
  const isNamed = frame.communities.length + frame.uncovered.length > 0;
  const foreign = items.find(
    ({ domain, community }) => isNamed && domain === "adat" && community && !frame.communities.includes(community),
  );
  const isBorneOut = items.some(({ id }) => itemBearsOn(material, id, [claim.statement]));
  const [first, acts] = [claim.evidence[0], frame.acts.join(", ") || frame.about.join(", ")];
  const titles = items.map((item) => titleOf(item, language)).join("; ");
  const problems: Problem[] = [
    [items.length > 0 && !items.some(({ answers }) => answers), "not_asked", "logic_gap", "CRITICAL", better?.id],
    [items.length > 0 && !isBorneOut, "not_borne_out", "evidence_gap", "MAJOR", first],
    [figures !== "", "figures", "evidence_gap", "CRITICAL", first],
    [foreign !== undefined, "other_people", "domain_mismatch", "CRITICAL", foreign?.id],
  ];
  return problems.flatMap(([isWrong, key, issue, severity, id]) => {
    const values = { statement: claim.statement, titles, figures, acts };
    const raised = { on: claim.id, evidence: id === undefined ? [] : [id], values };
    return isWrong ? [raise(material, key, [issue, severity], raised)] : [];
  });
}

function findClash({ agent, own, material }: CriticInput, claims: Claim[]): Found[] {
  const { route, frame } = material;
  const isMandatory = ({ evidence }: Claim): boolean => evidence.some((id) => findItem(material, id)?.mandatory);
  const mandatory = agent === "NLA" ? own.claims.find(isMandatory) : undefined;
  const [their, mine] = [claims[0], mandatory ?? own.claims[0]];
  if (!their || !mine || (!mandatory && route.scores.conflict <= 0)) return [];
  // Adat has nothing to set against a mandatory provision.
  if (agent === "ALA" && claims.some(isMandatory)) return [];
  const issue = frame.about.slice(0, 4).join(", ");
  const values = { issue, claim: `${agent}:${mine.id}`, statement: their.statement };
  const raised = { on: their.id, evidence: mine.evidence.slice(0, 2), values };
  return [raise(material, mandatory ? "overriding" : "set_against", ["conflict", "MAJOR"], raised)];
}

/** An item the author was not shown that is about as close to the question as what it cites. */
function findOmission({ material, target }: CriticInput): Found[] {
  const cited = target.claims.flatMap(({ evidence }) => evidence);
  const best = Math.max(...cited.map((id) => findItem(material, id)?.score ?? 0));
  const item = material.evidence.find(
    ({ holder, answers, domain, id, score }) =>
      holder === "critic" &&
      answers &&
      domain === sides[target.agent] &&
      score >= nearBest * best &&
      !cited.includes(id),
  );
  if (!item || target.claims.length === 0) return [];
  const values = { title: titleOf(item, material.language) };
  return [raise(material, "omission", ["logic_gap", "MINOR"], { evidence: [item.id], values })];
}

function judge(input: CriticInput, { critique, response }: AnsweredCritique): CritiqueVerdict {
  const { material, target, own } = input;
  const verdict = (isSettled: boolean, key: string): CritiqueVerdict => ({
    critique_id: critique.id,
    reason: word(material.language, `verdict.${key}`),
    verdict: isSettled ? "withdrawn" : "upheld",
  });
  if (critique.target_claim_id === null)
    return target.claims.some(({ evidence }) => evidence.some((id) => critique.evidence.includes(id)))
      ? verdict(true, "added")
      : verdict(critique.severity === "MINOR", "not_added");
  const claim = claimOf(target, critique.target_claim_id);
  if (!claim) return verdict(true, "dropped");
  if (response?.response === "accepted") return verdict(true, "yielded");
  if (critique.issue_type === "conflict") {
    if (!own.claims.some(({ evidence }) => evidence.some((id) => critique.evidence.includes(id))))
      return verdict(true, "released");
    return verdict(
      false,
      (response?.evidence ?? []).some((id) => itemBearsOn(material, id, [critique.description, claim.statement]))
        ? "both_stand"
        : "unanswered",
    );
  }
  const isStill = inspectClaim(input, claim).some(({ issue_type }) => issue_type === critique.issue_type);
  return verdict(!isStill, isStill ? "unanswered" : "mended");
}
