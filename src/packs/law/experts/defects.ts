import { findItem, itemBearsOn } from "../rules/evidence.ts";
import { findForeign } from "../rules/figures.ts";
import type { Language, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim, Critique } from "../schemas/messages.ts";
import { word } from "../words/word.ts";

export function scopeOf({ scope, scope_en }: MaterialItem, language: Language): string | null {
  return language === "en" ? scope_en : scope;
}

export function isScopeUnstated({ regime, kind }: MaterialItem, { frame }: Material): boolean {
  return (regime === "civil_code" || regime === "islamic") && kind !== "kg" && !frame.regimes.includes(regime);
}

export type Defect = Omit<Critique, "id" | "target_claim_id">;

export function inspectClaim(query: string, material: Material, claim: Claim): Defect[] {
  const { language, frame } = material;
  const items = claim.evidence.flatMap((id) => findItem(material, id) ?? []);
  const titles = items.map((item) => (language === "en" ? item.title_en : item.title)).join("; ");
  const found = (
    key: string,
    issue_type: Critique["issue_type"],
    severity: Critique["severity"],
    evidence: string[] = [],
    values = {},
  ): Defect => ({
    description: word(language, `defect.${key}`, { statement: claim.statement, titles, ...values }),
    evidence,
    issue_type,
    severity,
    suggested_fix: word(language, `fix.${key}`),
  });
  const better = material.evidence
    .filter(({ answers, id }) => answers && !claim.evidence.includes(id))
    .map(({ id }) => id);
  const figures = findForeign(claim, material, query);
  const scopes = items.filter((item) => isScopeUnstated(item, material)).map((item) => scopeOf(item, language) ?? "");
  const foreign = items.filter(
    ({ domain, community }) =>
      domain === "adat" &&
      community !== null &&
      !frame.communities.includes(community) &&
      (frame.communities.length > 0 || frame.uncovered.length > 0),
  );
  const isSaid = (texts: string[]): boolean =>
    texts.every((text) => claim.assumptions.some((one) => one.includes(text)));
  return [
    ...(items.length > 0 && !items.some(({ answers }) => answers)
      ? [
          found("not_asked", "logic_gap", "CRITICAL", better.slice(0, 1), {
            acts: frame.acts.join(", ") || frame.about.join(", "),
          }),
        ]
      : []),
    ...(items.length > 0 && !items.some(({ id }) => itemBearsOn(material, id, [claim.statement]))
      ? [found("not_borne_out", "evidence_gap", "MAJOR", claim.evidence.slice(0, 1))]
      : []),
    ...(figures.length > 0
      ? [found("figures", "evidence_gap", "CRITICAL", claim.evidence.slice(0, 1), { figures: figures.join(", ") })]
      : []),
    ...(foreign.length > 0
      ? [found("other_people", "domain_mismatch", "CRITICAL", foreign.map(({ id }) => id).slice(0, 1))]
      : []),
    ...(scopes.length > 0 && !isSaid(scopes)
      ? [found("scope", "overclaim", "MINOR", [], { scopes: scopes.join("; ") })]
      : []),
    ...(items.length > 0 && items.every(({ confidence }) => confidence === "unconfirmed") && claim.confidence > 0.45
      ? [found("unconfirmed", "evidence_gap", "MINOR")]
      : []),
  ];
}
