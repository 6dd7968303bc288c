import type { DebateSummary, Round } from "../schemas/decision.ts";
import type { Language, Material } from "../schemas/material.ts";
import { opponentOf } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { listClaims, listDropped, listUnchecked, measureMissing, type NamedClaim, selectOn } from "./claims.ts";
import { type ConvergenceConfig, converged, isDomainConflict } from "./converged.ts";
import { type CritiqueStatus, critiqueStatus, isUnsettled } from "./critique-status.ts";
import { escalationReasons } from "./escalation-reasons.ts";
import { concludeDebate } from "./position.ts";

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
  const name = ({ critique }: CritiqueStatus): string => `${critique.agent}:${critique.id}`;
  const whys = [
    ...disputing.map((one) => `${name(one)} ${word(language, `issue.${one.critique.issue_type}`)}: ${one.why}`),
    ...(claim.risk ? [word(language, `risk.${claim.risk}`)] : []),
    ...(unchecked.has(claim.claim) ? [word(language, "course.unchecked")] : []),
  ];
  const course =
    on.map((one) => `${name(one)} ${word(language, `status.${one.status}`)}`).join("; ") ||
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
