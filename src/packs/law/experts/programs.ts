import { citeTitle, findItem, isScopeUnstated, itemBearsOn, scopeOf, statementOf, titleOf } from "../rules/evidence.ts";
import type { AgentInput, CaseInput, SupervisorInput, AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import { selectLeading, wordConclusion } from "../rules/answer.ts";
import { nameClaims } from "../rules/claims.ts";
import { concludeClaims } from "../rules/position.ts";
import type { RaisedCritique } from "../rules/critique-status.ts";
import type { Material, MaterialItem } from "../schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  type Claim,
  opponentOf,
  type Response,
  sides,
  type SoloAnswer,
  type Supervision,
  type Critique,
  type CritiqueMessage,
  type CritiqueVerdict,
  type Severity,
} from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { findForeign } from "../rules/figures.ts";
import { claimOf, critiqueOf } from "../schemas/decision.ts";

const mostClaims = 3;
/** Items much further from the question than the best add noise: fewer than half were asked for (examples/law). */
export const nearBest = 0.7;
const mostSure = 0.59;
/** The highest confidence in a source that nobody has compared with its text. */
const mostSureUnread = 0.45;
/** Below this, a source is wrong more often than not (examples/law). */
const leastMatch = 0.5;
/** From here on, the question was misread in a third of the cases (examples/law). */
const mostDoubt = 0.25;

export function answer(input: AgentInput): AgentOutput {
  return input.previous ? revise(input, input.previous) : open(input);
}

function open({ material, agent, round }: Pick<AgentInput, "material" | "agent" | "round">): AgentOutput {
  const claims = selectItems(material, agent).map((item, index) => makeClaim(item, material, `C${index + 1}`));
  const weak = claims
    .flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []))
    .filter(({ confidence }) => confidence === "unconfirmed")
    .map((item) => word(material.language, "say.unconfirmed", { title: titleOf(item, material.language) }));
  return {
    round,
    agent,
    responses: [],
    claims,
    uncertainties: [...new Set(weak)],
    open_questions: [],
    answer: sayAnswer(claims, material),
  };
}

function selectItems(material: Material, agent: Agent): MaterialItem[] {
  const { route, evidence } = material;
  const own = evidence.filter(({ domain, answers, kind }) => domain === sides[agent] && answers && kind !== "kg");
  if (route.label === `pure_${sides[opponentOf(agent)]}`) return [];
  const best = own[0]?.score ?? 0;
  // A rule supports the claim on the norm it restates, and is a separate claim only if that norm was not found.
  const distinct = own.filter(
    (item) => !(item.kind === "rule" && item.related.some((id) => own.some((other) => other.id === id))),
  );
  return distinct
    .filter(({ score }) => score >= nearBest * best)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostClaims);
}

function makeClaim(item: MaterialItem, material: Material, id: string): Claim {
  const { language, evidence } = material;
  const known = (ids: string[]): string[] => ids.filter((one) => evidence.some((other) => other.id === one));
  const backing =
    item.kind === "rule"
      ? known(item.related)
      : evidence.filter(({ kind, related }) => kind === "rule" && related.includes(item.id)).map((rule) => rule.id);
  const scope = scopeOf(item, language);
  return {
    id,
    evidence: [item.id, ...backing.slice(0, 3)],
    assumptions: scope !== null && isScopeUnstated(item, material) ? [scope] : [],
    statement:
      item.kind === "rule"
        ? statementOf(item, language)
        : word(language, "say.according_to", {
            title: citeTitle(item, language),
            statement: statementOf(item, language).replace(/\.$/u, ""),
          }),
    confidence: Math.min(item.confidence === "confirmed" ? mostSure : mostSureUnread, item.match),
  };
}

function sayAnswer(claims: Claim[], { language }: Material): string {
  return claims[0]?.statement ?? word(language, "say.nothing_known");
}

function revise(input: AgentInput, previous: AgentOutput): AgentOutput {
  const { material, agent, round, critiques } = input;
  let claims: Claim[] = previous.claims.map(({ risk: _risk, ...claim }) => claim);
  const responses = critiques.map((critique) => {
    const answered = respond(input, critique, claims);
    claims = answered.claims;
    return answered.response;
  });
  const { uncertainties, open_questions } = previous;
  return { round, agent, responses, claims, uncertainties, open_questions, answer: sayAnswer(claims, material) };
}

type Answered = { response: Response; claims: Claim[] };

function respond({ material, agent }: AgentInput, critique: RaisedCritique, claims: Claim[]): Answered {
  const { id: critique_id, issue_type, target_claim_id } = critique;
  const say = (response: Response["response"], key: string, evidence: string[], left = claims): Answered => ({
    response: { critique_id, reason: word(material.language, `say.${key}`), evidence, response },
    claims: left,
  });
  const claim = claims.find(({ id }) => id === target_claim_id);
  const items = (claim ?? critique).evidence.flatMap((id) => findItem(material, id) ?? []);
  if (target_claim_id === null) {
    const item = items.find(({ domain }) => domain === sides[agent]);
    const last = Math.max(0, ...claims.map(({ id }) => Number(id.slice(1)) || 0));
    return item
      ? say("accepted", "adds", [item.id], [...claims, makeClaim(item, material, `C${last + 1}`)])
      : say(
          "rejected",
          "other_law",
          claims.flatMap(({ evidence }) => evidence.slice(0, 1)),
        );
  }
  if (!claim) return say("accepted", "already_dropped", []);
  const replace = (...by: Claim[]): Claim[] => claims.flatMap((one) => (one === claim ? by : [one]));
  if (issue_type === "conflict") {
    const yielding = { ...claim, assumptions: [...claim.assumptions, word(material.language, "say.yielding")] };
    const isOverridden = agent === "ALA" && critique.evidence.some((id) => findItem(material, id)?.mandatory);
    if (isOverridden) return say("accepted", "yields", critique.evidence, replace(yielding));
    return say("rejected", "keeps_reading", claim.evidence);
  }
  const isBorneOut = items.some(({ id }) => itemBearsOn(material, id, [claim.statement]));
  if (!items.some(({ answers }) => answers) || (issue_type === "evidence_gap" && !isBorneOut))
    return say("accepted", "drops", [], replace());
  return say("rejected", "keeps_reading", claim.evidence);
}

/** Words the result by the rules. Programs that share one reading cannot tell whether it is right where it is weak. */
export function supervise(input: SupervisorInput): Supervision {
  const worded = wordConclusion(input);
  const { language, doubt, evidence } = input.material;
  const isWeak = selectLeading(input).some(({ evidence: [id] }) =>
    evidence.some((item) => item.id === id && item.match < leastMatch),
  );
  const doubts = [doubt >= mostDoubt ? "say.reading_unclear" : "", isWeak ? "say.match_unclear" : ""].filter(Boolean);
  if (doubts.length === 0) return worded;
  return {
    ...worded,
    needs_human_review: true,
    reasons: [...worded.reasons, ...doubts.map((key) => word(language, key))],
  };
}

export function answerAlone({ material }: CaseInput): SoloAnswer {
  const { language } = material;
  const named = (["NLA", "ALA"] as const).flatMap((agent) => nameClaims(open({ material, agent, round: 1 })));
  const course = { statuses: [], oneReading: false, wasSaid: false };
  const { position, why } = concludeClaims(material, named, course);
  const claims = (position === "D" ? [] : named).map(({ agent: _agent, claim: _name, ...claim }, at) => ({
    ...claim,
    id: `C${at + 1}`,
  }));
  return {
    claims,
    applicable_regimes: [],
    reasons: why,
    dissent: null,
    position,
    answer: [
      ...(claims.length > 0 ? claims.map(({ statement }) => `- ${statement}`) : why),
      word(language, `position.${position}`),
      word(language, "say.disclaimer"),
    ].join("\n"),
    disclaimer: word(language, "say.disclaimer"),
  };
}

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
