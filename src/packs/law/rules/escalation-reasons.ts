import { claimOf, critiqueOf, type EscalationCode, outputOf, type Reason, type Round } from "../schemas/decision.ts";
import type { Material } from "../schemas/material.ts";
import { word } from "../words/word.ts";
import {
  agents,
  costs,
  isEvidenced,
  isOneReading,
  listClaims,
  listDropped,
  listStanding,
  listUnchecked,
  measureMissing,
  type NamedClaim,
  selectOn,
} from "./claims.ts";
import { type ConvergenceConfig, converged, isDomainConflict } from "./converged.ts";
import { type CritiqueStatus, critiqueStatus, isSerious, isUnsettled } from "./critique-status.ts";
import { concludeClaims } from "./position.ts";

const maxMissingShare = 0.3;
const defaultMaxRounds = 3;

/**
 * Why the debate needs a person (law spec §4.4), judged on what is open at its end. More criticism never means fewer reasons. What
 * the position rests on is judged where the material is given.
 */
export function escalationReasons(rounds: Round[], config: ConvergenceConfig, material: Material): Reason[] {
  const last = rounds.at(-1);
  if (!last) return [];
  const statuses = critiqueStatus(rounds);
  const open = statuses.filter((one) => isUnsettled(one) && isSerious(one));
  const reason = (code: EscalationCode, refs: string[], values = {}): Reason[] =>
    refs.length === 0
      ? []
      : [
          {
            code,
            message: word(material.language, `reason.${code}`, {
              count: refs.length,
              refs: refs.join(", "),
              ...values,
            }),
            refs,
          },
        ];
  const select = (issues: string[], test: (one: CritiqueStatus) => boolean): string[] =>
    open.filter((one) => issues.includes(one.critique.issue_type) && test(one)).map(refOf);
  const isCritical = ({ critique }: CritiqueStatus): boolean => critique.severity === "CRITICAL";
  const thin = agents.filter((agent) => measureMissing(rounds, agent, statuses) > maxMissingShare);
  const percent = Math.round(100 * Math.max(...agents.map((agent) => measureMissing(rounds, agent, statuses))));
  const maxRounds = config.max_rounds ?? defaultMaxRounds;
  const isUnfinished = maxRounds >= 2 && last.round >= maxRounds && !converged(rounds, config).met;
  const wasCriticised = rounds.some(
    (round) =>
      critiqueOf(round, "NLA") !== null || critiqueOf(round, "ALA") !== null || (round.silent ?? []).length > 0,
  );
  return [
    ...reason("critical_evidence", select(["evidence_gap", "overclaim"], isCritical)),
    ...reason("critical_norm_conflict", select(["conflict", "domain_mismatch"], isCritical)),
    ...reason("hard_contradiction", listContradictory(last, statuses, rounds)),
    ...reason("evidence_missing_over_30_percent", thin, { percent }),
    ...reason("unchecked_claims", wasCriticised ? listUnchecked(rounds).map(({ claim }) => claim) : []),
    ...reason("open_domain_conflict", open.filter(({ critique }) => isDomainConflict(critique)).map(refOf)),
    ...reason("unanswered_critique", open.filter(({ status }) => status === "unanswered" && wasCriticised).map(refOf)),
    ...reason("claims_dropped", listGivenUp(rounds, statuses, material)),
    ...reason("one_reading", isOneReading(last) ? listClaims(last).map(({ claim }) => claim) : []),
    ...reason("hinges_on_open_critique", listHinging(last, statuses, material)),
    ...(isUnfinished
      ? [
          {
            code: "not_converged_after_max_rounds" as const,
            message: word(material.language, "reason.not_converged_after_max_rounds", { round: last.round }),
            refs: [],
          },
        ]
      : []),
  ];
}

/** Both sides keep claims that an upheld critique calls contradictory, and nobody justified it. */
function listContradictory(last: Round, statuses: CritiqueStatus[], rounds: Round[]): string[] {
  const isUpheld = ({ critique }: CritiqueStatus): boolean =>
    rounds.some((round) =>
      critiqueOf(round, critique.agent)?.verdicts.some(
        ({ critique_id, verdict }) => critique_id === critique.id && verdict === "upheld",
      ),
    );
  return statuses
    .filter((one) => one.status === "open" && one.critique.issue_type === "conflict" && isUpheld(one))
    .filter(({ critique }) => claimOf(outputOf(last, critique.target), critique.target_claim_id))
    .map(refOf);
}

/** A side that has given up all its claims, and claims dropped without a challenge on which the position would have rested. */
function listGivenUp(rounds: Round[], statuses: CritiqueStatus[], material: Material): string[] {
  const last = rounds.at(-1);
  const dropped = listDropped(rounds, statuses);
  if (!last || dropped.length === 0) return [];
  const silent = agents.filter(
    (agent) => outputOf(last, agent).claims.length === 0 && dropped.some((claim) => claim.agent === agent),
  );
  const unasked = dropped.filter((claim) => !claim.challenged && isEvidenced(claim));
  const emptied = dropped.filter(({ agent }) => silent.includes(agent));
  const standing = listStanding(last, statuses);
  const changed =
    unasked.length > 0 &&
    conclude(material, standing, last, statuses) !== conclude(material, [...standing, ...unasked], last, statuses);
  return [...new Set([...emptied, ...(changed ? unasked : [])].map(({ claim }) => claim))];
}

/** Claims that fall to an unsettled critique and without which the position would be another. */
function listHinging(last: Round, statuses: CritiqueStatus[], material: Material): string[] {
  const all = listClaims(last).filter(isEvidenced);
  const fallen = all.filter((claim) => selectOn(statuses, claim).some((one) => costs(one, claim)));
  const [whole, left] = [
    conclude(material, all, last, statuses),
    conclude(
      material,
      all.filter((claim) => !fallen.includes(claim)),
      last,
      statuses,
    ),
  ];
  const isHinging = (claim: NamedClaim): boolean =>
    whole !== left ||
    conclude(
      material,
      all.filter((one) => one !== claim),
      last,
      statuses,
    ) !== whole;
  return fallen.filter(isHinging).map(({ claim }) => claim);
}

function conclude(material: Material, claims: NamedClaim[], last: Round, statuses: CritiqueStatus[]): string {
  return concludeClaims(material, claims, {
    statuses,
    oneReading: isOneReading(last),
    wasSaid: true,
  }).position;
}

function refOf({ critique }: CritiqueStatus): string {
  return `${critique.agent}:${critique.id}`;
}
