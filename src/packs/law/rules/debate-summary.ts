import { isFiled } from "../../../contract/run.ts";
import {
  claimOf,
  critiqueOf,
  type DebateSummary,
  type EscalationCode,
  outputOf,
  type Reason,
  type Round,
} from "../schemas/decision.ts";
import type { Language, Material } from "../schemas/material.ts";
import { type Agent, opponentOf, sides } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import {
  agents,
  disputes,
  isEvidenced,
  isOneReading,
  isRevised,
  listBeside,
  listClaims,
  listDropped,
  listStanding,
  listUnchecked,
  measureMissing,
  type NamedClaim,
  selectOn,
  sideOf,
} from "./claims.ts";
import { type ConvergenceConfig, converged, isDomainConflict } from "./converged.ts";
import { type CritiqueStatus, critiqueStatus, isSerious, isUnsettled } from "./critique-status.ts";
import { findItem } from "./evidence.ts";
import { concludeClaims, concludeDebate } from "./position.ts";

/** How a debate stands: its claims and critiques, what they come to, and why a person must look. */
export function summariseDebate(
  query: string,
  material: Material,
  rounds: Round[],
  config: ConvergenceConfig,
): DebateSummary {
  const { language, route } = material;
  const critiques = critiqueStatus(rounds, language);
  const reasons = escalationReasons(rounds, config, material);
  const last = rounds.at(-1);
  const unchecked = new Set(listUnchecked(rounds).map(({ claim }) => claim));
  const judged = (last ? listClaims(last) : []).map((claim) => judgeClaim(claim, critiques, unchecked, language));
  const dropped = listDropped(rounds, critiques);
  return {
    query,
    route,
    rounds: rounds.length,
    convergence: converged(rounds, config),
    critiques,
    conflicts: listConflicts(critiques),
    agreed_claims: judged.filter(({ disputed }) => !disputed).map(({ shown }) => shown),
    disputed_claims: judged.filter(({ disputed }) => disputed).map(({ shown }) => shown),
    dropped_claims: dropped.map((claim) => ({
      ...showClaim(claim, word(language, claim.conceded ? "course.dropped" : "course.dropped_unconceded")),
      conceded: claim.conceded,
    })),
    position: concludeDebate(material, rounds, critiques),
    critique_counts: countCritiques(critiques),
    evidence_coverage: {
      nla: last ? 1 - measureMissing(rounds, "NLA", critiques) : 0,
      ala: last ? 1 - measureMissing(rounds, "ALA", critiques) : 0,
    },
    faults: [
      ...rounds.flatMap((round) => listFaults(round, language)),
      ...dropped
        .filter(({ conceded }) => !conceded)
        .map(({ agent, id, statement }) => ({
          code: "dropped_unconceded",
          message: word(language, "course.dropped_fault", { claim: id, statement }),
          round: rounds.length,
          speaker: agent.toLowerCase(),
        })),
    ],
    needs_human_review: reasons.length > 0,
    reasons,
  };
}

function showClaim(
  { claim, statement, evidence, confidence }: NamedClaim,
  why: string,
): DebateSummary["agreed_claims"][number] {
  return { claim, statement, evidence, confidence, why };
}

function judgeClaim(claim: NamedClaim, critiques: CritiqueStatus[], unchecked: Set<string>, language: Language) {
  const on = selectOn(critiques, claim);
  const disputing = on.filter(
    (one) =>
      isUnsettled(one) ||
      one.status === "finding" ||
      (one.status === "withdrawn" && one.critique.issue_type === "conflict"),
  );
  const whys = [
    ...disputing.map((one) => `${refOf(one)} ${word(language, `issue.${one.critique.issue_type}`)}: ${one.why}`),
    ...(claim.risk ? [word(language, `risk.${claim.risk}`)] : []),
    ...(unchecked.has(claim.claim) ? [word(language, "course.unchecked")] : []),
  ];
  const course =
    on.map((one) => `${refOf(one)} ${word(language, `status.${one.status}`)}`).join("; ") ||
    word(language, "course.not_criticised");
  return { disputed: whys.length > 0, shown: showClaim(claim, whys.join("; ") || course) };
}

function listConflicts(critiques: CritiqueStatus[]): DebateSummary["conflicts"] {
  return critiques
    .filter(({ critique }) => isDomainConflict(critique))
    .map(({ critique: { agent, id, target, target_claim_id, description }, status, why }) => ({
      refs: [`${agent}:${id}`, target_claim_id === null ? target : `${target}:${target_claim_id}`],
      statement: description,
      status,
      why,
    }));
}

function countCritiques(critiques: CritiqueStatus[]): Record<string, number> {
  const counts: Record<string, number> = { raised: critiques.length };
  for (const { status, critique } of critiques)
    for (const key of [status, critique.severity]) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function listFaults(
  { round, nla, ala, nla_on_ala, ala_on_nla, silent = [] }: Round,
  language: Language,
): DebateSummary["faults"] {
  const said = Object.entries({ nla, ala, nla_critic: nla_on_ala, ala_critic: ala_on_nla }).flatMap(
    ([speaker, reply]) => (reply?.faults ?? []).map((fault) => ({ ...fault, round, speaker })),
  );
  const unsaid = silent.map((agent) => ({
    code: "no_critique",
    message: word(language, "course.silent", { target: opponentOf(agent) }),
    round,
    speaker: `${agent.toLowerCase()}_critic`,
  }));
  return [...said, ...unsaid];
}

const maxMissingShare = 0.3;
const defaultMaxRounds = 3;

type Found = { code: EscalationCode; refs: string[]; values?: Record<string, string | number> };

/** Why the debate needs a person (law spec §4.4): more criticism never means fewer reasons, and removing a claim never helps. */
export function escalationReasons(rounds: Round[], config: ConvergenceConfig, material: Material): Reason[] {
  return [...listFound(rounds, config, material), findDropped(rounds)]
    .filter(({ refs }) => refs.length > 0)
    .map(({ code, refs, values }) => ({
      code,
      message: word(material.language, `reason.${code}`, { refs: refs.join(", "), ...values }),
      refs,
    }));
}

function listFound(rounds: Round[], config: ConvergenceConfig, material: Material): Found[] {
  const last = rounds.at(-1);
  if (!last) return [];
  const statuses = critiqueStatus(rounds);
  const open = statuses.filter((one) => isUnsettled(one) && isSerious(one));
  const select = (test: (one: CritiqueStatus) => boolean): string[] => open.filter(test).map(refOf);
  const selectCritical = (...issues: string[]): string[] =>
    select(({ critique }) => critique.severity === "CRITICAL" && issues.includes(critique.issue_type));
  const isKept = ({ critique: { issue_type, target, target_claim_id }, status }: CritiqueStatus): boolean =>
    issue_type === "conflict" && status === "open" && claimOf(outputOf(last, target), target_claim_id) !== null;
  const missing = agents.map((agent) => ({ agent, share: measureMissing(rounds, agent, statuses) }));
  const thin = missing.filter(({ share }) => share > maxMissingShare).map(({ agent }) => agent);
  const shares = missing
    .filter(({ agent }) => thin.includes(agent))
    .map(({ agent, share }) => `${agent} ${Math.round(100 * share)}%`);
  const maxRounds = config.max_rounds ?? defaultMaxRounds;
  const isUnfinished = maxRounds >= 2 && last.round >= maxRounds && !converged(rounds, config).met;
  const wasCriticised = rounds.some(
    (round) => critiqueOf(round, "NLA") !== null || critiqueOf(round, "ALA") !== null || round.silent?.length,
  );
  return [
    { code: "critical_evidence", refs: selectCritical("evidence_gap", "overclaim") },
    { code: "critical_norm_conflict", refs: selectCritical("conflict", "domain_mismatch") },
    { code: "hard_contradiction", refs: select(isKept) },
    { code: "evidence_missing_over_30_percent", refs: thin, values: { shares: shares.join(", ") } },
    { code: "unchecked_claims", refs: wasCriticised ? listUnchecked(rounds).map(({ claim }) => claim) : [] },
    { code: "beside_question", refs: listBeside(last, material).map(({ claim }) => claim) },
    { code: "no_citable_source", refs: listUncitable(last, statuses, material) },
    { code: "law_not_heard", refs: listUnheard(last, statuses, material) },
    { code: "open_domain_conflict", refs: select(({ critique }) => isDomainConflict(critique)) },
    { code: "unanswered_critique", refs: select(({ status }) => status === "unanswered") },
    { code: "disputed_fact", refs: listClaims(last).length > 0 ? material.disputed : [] },
    { code: "one_reading", refs: isOneReading(last) ? listClaims(last).map(({ claim }) => claim) : [] },
    { code: "hinges_on_open_critique", refs: listHinging(last, statuses, material) },
    {
      code: "not_converged_after_max_rounds",
      refs: isUnfinished ? select(() => true) : [],
      values: { round: last.round },
    },
  ];
}

/** The standing claims of a law of which none rests on a source that can be looked up. */
function listUncitable(last: Round, statuses: CritiqueStatus[], material: Material): string[] {
  const standing = Map.groupBy(listStanding(last, statuses, material), (claim) => sideOf(claim, material));
  const isCitable = ({ evidence }: NamedClaim): boolean =>
    evidence.some((id) => isFiled(id) || (findItem(material, id)?.source ?? null) !== null);
  return [...standing.values()].flatMap((own) => (own.some(isCitable) ? [] : own.map(({ claim }) => claim)));
}

function listUnheard(last: Round, statuses: CritiqueStatus[], material: Material): string[] {
  const { label, out_of_scope } = material.route;
  const heard = new Set(listStanding(last, statuses, material).map((claim) => sideOf(claim, material)));
  return agents
    .filter((agent) => !out_of_scope && label !== `pure_${sides[opponentOf(agent)]}` && !heard.has(sides[agent]))
    .map((agent) => word(material.language, `label.${agent}`));
}

/** Claims given up without accepting a critique of them, or all that a side had. */
function findDropped(rounds: Round[]): Found {
  const dropped = listDropped(rounds, critiqueStatus(rounds)).filter(
    ({ agent, conceded }) => !conceded || !keepsAny(rounds, agent),
  );
  return { code: "claims_dropped", refs: dropped.map(({ claim }) => claim) };
}

function keepsAny(rounds: Round[], agent: Agent): boolean {
  const { claims } = outputOf(rounds.at(-1) as Round, agent);
  const before = rounds.slice(0, -1).map((round) => outputOf(round, agent));
  return claims.some((now) => before.some((output) => isRevised(now, claimOf(output, now.id))));
}

function listHinging(last: Round, statuses: CritiqueStatus[], material: Material): string[] {
  const all = listClaims(last).filter(isEvidenced);
  const fallen = all.filter((claim) => selectOn(statuses, claim).some((one) => disputes(one, claim)));
  const conclude = (claims: NamedClaim[]): string =>
    concludeClaims(material, claims, { statuses, oneReading: isOneReading(last), wasSaid: true }).position;
  const whole = conclude(all);
  const isTurned = whole !== conclude(all.filter((claim) => !fallen.includes(claim)));
  return fallen
    .filter((claim) => isTurned || conclude(all.filter((one) => one !== claim)) !== whole)
    .map(({ claim }) => claim);
}

function refOf({ critique }: CritiqueStatus): string {
  return `${critique.agent}:${critique.id}`;
}
