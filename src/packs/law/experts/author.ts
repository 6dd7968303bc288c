import { citeTitle, findItem, isScopeUnstated, itemBearsOn, scopeOf, statementOf, titleOf } from "../rules/evidence.ts";
import type { AgentInput, CaseInput, Lens, SupervisorInput } from "../rules/role-inputs.ts";
import { selectLeading, wordConclusion } from "../rules/answer.ts";
import { nameClaims } from "../rules/claims.ts";
import { concludeClaims } from "../rules/position.ts";
import type { RaisedCritique } from "../rules/critique-status.ts";
import type { Material, MaterialItem } from "../schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  type Claim,
  type Response,
  sides,
  type SoloAnswer,
  type Supervision,
} from "../schemas/messages.ts";
import { word } from "../words/word.ts";

const mostClaims = 3;
/** Items much further from the question than the best add noise: fewer than half were asked for (examples/law). */
export const nearBest = 0.7;
const mostSure = 0.59;
/** The highest confidence in a source that nobody has compared with its text. */
const mostSureUnread = 0.45;
/** Below this, a source is wrong more often than not (examples/law). */
const leastMatch = 0.6;

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
  if (route.label === "pure_adat" && agent === "NLA") return own.filter(({ mandatory }) => mandatory).slice(0, 2);
  if (route.label === "pure_national" && agent === "ALA") return [];
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
  const { language, route, evidence } = input.material;
  const isUnclear = ["C", "E"].includes(worded.position) && Math.abs(route.scores.conflict) < 2;
  const isWeak = selectLeading(input).some(({ evidence: [id] }) =>
    evidence.some((item) => item.id === id && item.match < leastMatch),
  );
  const doubts = [isUnclear ? "say.relation_unclear" : "", isWeak ? "say.match_unclear" : ""].filter(Boolean);
  if (doubts.length === 0) return worded;
  return {
    ...worded,
    needs_human_review: true,
    reasons: [...worded.reasons, ...doubts.map((key) => word(language, key))],
  };
}

export function answerAlone({ material }: CaseInput, lens: Lens): SoloAnswer {
  const { language } = material;
  const named = (["NLA", "ALA"] as const).flatMap((agent) => nameClaims(open({ material, agent, round: 1 })));
  const own = named.filter(({ agent }) => lens === "neutral" || sides[agent] === lens);
  const course = { statuses: [], oneReading: false, wasSaid: false };
  const { position, why } = concludeClaims(material, own.length > 0 ? own : named, course);
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
