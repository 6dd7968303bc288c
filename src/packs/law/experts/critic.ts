import { findItem, itemBearsOn, titleOf } from "../rules/evidence.ts";
import type { AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import { claimOf } from "../schemas/decision.ts";
import type { Claim, Critique, CritiqueMessage, CritiqueVerdict, Severity } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { inspectClaim } from "./defects.ts";

type Found = Omit<Critique, "id">;
const most = 6;
const rank: Record<Severity, number> = { CRITICAL: 0, MAJOR: 1, MINOR: 2 };

/** The built-in critic: real critiques only, against the sources, its own side's norms and what the author did not have. */
export function criticise(input: CriticInput): CritiqueMessage {
  const { agent, round, target, earlier, changed, material, said, query } = input;
  const isOpening = round === 1;
  const claims = target.claims.filter(({ id }) => isOpening || changed.includes(id));
  const raised = new Set(
    said.flatMap(({ nla_on_ala, ala_on_nla }) =>
      ((agent === "NLA" ? nla_on_ala : ala_on_nla)?.critiques ?? []).map(writeKey),
    ),
  );
  const found = [
    ...claims.flatMap((claim) =>
      inspectClaim(query, material, claim).map((defect): Found => ({ target_claim_id: claim.id, ...defect })),
    ),
    ...(isOpening ? [...findClash(input, claims), ...findOmission(input)] : []),
  ]
    .filter((one) => !raised.has(writeKey(one)) && (isOpening || one.severity !== "MINOR"))
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .slice(0, most);
  const first = said.reduce(
    (count, { nla_on_ala, ala_on_nla }) => count + ((agent === "NLA" ? nla_on_ala : ala_on_nla)?.critiques.length ?? 0),
    0,
  );
  const faulted = new Set(found.map(({ target_claim_id }) => target_claim_id));
  return {
    round,
    agent,
    target: target.agent,
    verdicts: earlier.map((one) => judge(input, one)),
    critiques: found.map((one, index) => ({ id: `K${first + index + 1}`, ...one })),
    cleared: claims.map(({ id }) => id).filter((id) => !faulted.has(id)),
    fewer_reason:
      isOpening || claims.length > 0
        ? word(material.language, claims.length > 0 ? "say.fewer" : "say.no_claims", {
            sought: material.frame.about.join(", "),
            claims: claims.map(({ id }) => id).join(", "),
            sources: [...new Set(claims.flatMap(({ evidence }) => evidence))].join(", "),
          })
        : null,
  };
}

function writeKey({ target_claim_id, issue_type, evidence }: Found): string {
  return `${target_claim_id ?? ""} ${issue_type} ${target_claim_id === null ? evidence.join(" ") : ""}`;
}

function findClash({ agent, own, material }: CriticInput, claims: Claim[]): Found[] {
  const { language, route, frame } = material;
  const isMandatory = ({ evidence }: Claim): boolean => evidence.some((id) => findItem(material, id)?.mandatory);
  const mandatory = agent === "NLA" ? own.claims.find(isMandatory) : undefined;
  const [their, mine] = [claims[0], mandatory ?? own.claims[0]];
  if (!their || !mine || (!mandatory && route.scores.conflict <= 0)) return [];
  // Adat sets nothing against what decides whatever it says.
  if (agent === "ALA" && claims.some(isMandatory)) return [];
  const key = mandatory ? "overriding" : "set_against";
  const values = {
    issue: frame.about.slice(0, 4).join(", "),
    claim: `${agent}:${mine.id}`,
    statement: their.statement,
  };
  return [
    {
      target_claim_id: their.id,
      description: word(language, `defect.${key}`, values),
      evidence: mine.evidence.slice(0, 2),
      issue_type: "conflict",
      severity: "MAJOR",
      suggested_fix: word(language, `fix.${key}`),
    },
  ];
}

function findOmission({ material, target }: CriticInput): Found[] {
  const side = target.agent === "NLA" ? "national" : "adat";
  const item = material.evidence.find(
    ({ holder, answers, domain, id }) =>
      holder === "critic" && answers && domain === side && !target.claims.some(({ evidence }) => evidence.includes(id)),
  );
  if (!item || target.claims.length === 0) return [];
  const title = titleOf(item, material.language);
  return [
    {
      target_claim_id: null,
      description: word(material.language, "defect.omission", { title }),
      evidence: [item.id],
      issue_type: "logic_gap",
      severity: "MINOR",
      suggested_fix: word(material.language, "fix.omission"),
    },
  ];
}

function judge(input: CriticInput, { critique, response }: AnsweredCritique): CritiqueVerdict {
  const { material, target, own, query } = input;
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
  const isStill = inspectClaim(query, material, claim).some(({ issue_type }) => issue_type === critique.issue_type);
  return verdict(!isStill, isStill ? "unanswered" : "mended");
}
