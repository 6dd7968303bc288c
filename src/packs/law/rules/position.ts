import type { Round } from "../schemas/decision.ts";
import type { Domain, Material } from "../schemas/material.ts";
import type { LawPosition } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { isOneReading, listStanding, type NamedClaim, sideOf } from "./claims.ts";
import { type CritiqueStatus, isUnsettled } from "./critique-status.ts";
import { findItem, titleOf } from "./evidence.ts";

export type Concluded = { position: LawPosition; standing: string[]; why: string[] };

/** The position of a debate, from the claims that stand at its end (law spec §5.2). */
export function concludeDebate(material: Material, rounds: Round[], statuses: CritiqueStatus[]): Concluded {
  const last = rounds.at(-1);
  const standing = last ? listStanding(last, statuses, material) : [];
  const wasSaid = rounds.some(({ nla, ala }) => nla.claims.length + ala.claims.length > 0);
  return concludeClaims(material, standing, {
    statuses,
    oneReading: last !== undefined && isOneReading(last),
    wasSaid,
  });
}

type Course = {
  statuses: CritiqueStatus[];
  oneReading: boolean;
  wasSaid: boolean;
};

/** The position that claims support: only national ones A, only adat ones B, both C or E, none D. */
export function concludeClaims(material: Material, standing: NamedClaim[], course: Course): Concluded {
  const { language } = material;
  const names = standing.map(({ claim }) => claim);
  const conclude = (position: LawPosition, key: string, values = {}): Concluded => ({
    position,
    standing: position === "D" ? [] : names,
    why: [word(language, `because.${key}`, values)],
  });
  if (material.route.out_of_scope) return conclude("D", "out_of_scope", { missing: material.missing.join("; ") });
  if (standing.length === 0) return course.wasSaid ? conclude("D", "fell") : conclude("D", "nothing");
  const of = (side: Domain): NamedClaim[] => standing.filter((claim) => sideOf(claim, material) === side);
  const [national, adat] = [of("national"), of("adat")];
  if (course.oneReading) return conclude(adat.length === 0 ? "A" : national.length === 0 ? "B" : "E", "one_reading");
  if (adat.length === 0) return conclude("A", "only_national");
  if (national.length === 0) return conclude("B", "only_adat");
  const clashing = course.statuses.filter(
    ({ critique, status }) =>
      critique.issue_type === "conflict" &&
      critique.severity !== "MINOR" &&
      status !== "ungrounded" &&
      standing.some(({ agent, id }) => agent === critique.target && id === critique.target_claim_id),
  );
  const isFinding = clashing.some(({ status }) => status === "finding");
  const mandatory = national
    .flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []))
    .filter((item) => item.mandatory && item.answers);
  if (mandatory.length > 0 && !isFinding)
    return conclude("A", "mandatory", { titles: mandatory.map((item) => titleOf(item, language)).join("; ") });
  if (isFinding || clashing.some(isUnsettled))
    return conclude("C", "clash", { refs: clashing.map(({ critique: { agent, id } }) => `${agent}:${id}`).join(", ") });
  // Withdrawing a conflict does not remove a clash that the question itself raises.
  const isMended = clashing.some(({ status }) => status === "accepted");
  if (!isMended && material.route.scores.conflict > 0) return conclude("C", "set_against");
  return conclude("E", "no_clash");
}
