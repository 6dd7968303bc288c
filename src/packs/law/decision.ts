import { listClosing, sayLead, wordConclusion } from "./rules/answer.ts";
import { listClaims, type NamedClaim, sideOf } from "./rules/claims.ts";
import { segmentSentences } from "../../text/split-text.ts";
import {
  addsWords,
  findItem,
  resolveIds,
  scopeOf,
  singlesOut,
  sourceOf,
  statementOf,
  titleOf,
} from "./rules/evidence.ts";
import type { DebateSummary, EscalationCode, LawDecision, Reason, Round, Source } from "./schemas/decision.ts";
import type { Material } from "./schemas/material.ts";
import type { Claim, SoloAnswer, Supervision } from "./schemas/messages.ts";
import { word } from "./words/word.ts";

type Named = LawDecision["claims"][number];

/** The decision: position and claims follow from the debate; the supervisor only words them (law spec §5). */
export function composeDecision(
  query: string,
  material: Material,
  rounds: Round[],
  summary: DebateSummary,
  supervision: Supervision | null,
  decided_by: LawDecision["decided_by"],
): LawDecision {
  const last = rounds.at(-1) as Round;
  const ended = { query, material, nla: last.nla, ala: last.ala, summary };
  const worded = wordConclusion(ended);
  const said = supervision ?? worded;
  const { position, standing, why } = summary.position;
  const used = listClaims(last).filter(({ claim }) => standing.includes(claim));
  const claims = listClaims(last).map(({ agent: _agent, ...claim }) => claim);
  const reason = (code: EscalationCode, values = {}): Reason => ({
    code,
    message: word(material.language, `reason.${code}`, values),
    refs: [],
  });
  // Where both laws stand, words that no claim bears may let one of them win.
  const isBetween = position === "C" || position === "E";
  const strayed = (isBetween ? supervision?.faults : [])?.filter(({ code }) => code === "not_claimed") ?? [];
  const left = supervision ? listLeftOut(supervision, material, used) : [];
  const disagrees = supervision !== null && (supervision.position !== position || left.length + strayed.length > 0);
  const unclaimed = strayed.length > 0 ? [word(material.language, "say.unclaimed")] : [];
  const concluded = [supervision?.position, ...left.map((claim) => `− ${claim}`), ...unclaimed].join(", ");
  const own = (supervision?.reasons ?? []).filter((one) => !why.includes(one));
  const review_reasons = [
    ...summary.reasons,
    ...(disagrees ? [reason("supervisor_disagrees", { said: concluded, position })] : []),
    ...(decided_by === "rules" && supervision === null ? [reason("no_supervisor")] : []),
    ...(supervision?.needs_human_review && summary.reasons.length === 0 && !disagrees
      ? [reason("requested_by_supervisor", { why: own.length > 0 ? `: ${own.join(" ").replace(/\.$/, "")}` : "" })]
      : []),
  ];
  // If nothing stands, there is nothing for a supervisor to word.
  const spoken = disagrees || position === "D" ? worded : said;
  const other = disagrees ? word(material.language, "say.supervisor_said", { answer: supervision.answer }) : "";
  const lead = sayLead(ended);
  // The rules write the first sentence, whoever supervises.
  const closing = listClosing(material.language, position, review_reasons);
  const others = [lead, ...closing].reduce((text, one) => text.replace(one, ""), spoken.answer);
  const rest = [...segmentSentences(others)]
    .filter((one) => addsWords(one, lead))
    .join("")
    .trim();
  const answer = spoken.answer === worded.answer ? [worded.answer] : [lead, rest];
  return {
    ...composePlain(query, material, claims, said),
    answer: [...answer, other, ...closing].filter((part) => part !== "").join("\n\n"),
    applicable_regimes: worded.applicable_regimes,
    reasons: spoken.reasons,
    dissent: spoken.dissent || null,
    position,
    used_claims: standing,
    rejected_claims: worded.rejected_claims,
    supervisor_position: disagrees ? supervision.position : null,
    review_reasons,
    needs_human_review: review_reasons.length > 0 || decided_by === "provisional",
    decided_by,
    summary,
    rounds,
  };
}

/** Claims of a side that the supervisor rejects entirely or leaves out, which takes the other side. */
function listLeftOut({ answer, rejected_claims }: Supervision, material: Material, used: NamedClaim[]): string[] {
  const sides = [...Map.groupBy(used, (claim) => sideOf(claim, material)).values()];
  const rejected = rejected_claims.map(({ claim }) => claim);
  const quote = (claims: NamedClaim[]): string[] =>
    claims.flatMap(({ statement, evidence }) => [
      statement,
      ...evidence.flatMap((id) => findItem(material, id) ?? []).map((item) => statementOf(item, material.language)),
    ]);
  const isSaid = (own: NamedClaim[]): boolean =>
    own.some(({ claim }) => !rejected.includes(claim)) &&
    singlesOut(answer, quote(own), sides.filter((side) => side !== own).flatMap(quote));
  return sides.filter((own) => !isSaid(own)).flatMap((own) => own.map(({ claim }) => claim));
}

export function composeSolo(
  query: string,
  material: Material,
  answer: SoloAnswer,
  votes: { voter: string; answer: SoloAnswer }[],
  decided_by: "single" | "vote",
): LawDecision {
  const { claims, faults, ...said } = answer;
  const named = claims.map((claim) => ({
    ...claim,
    evidence: resolveIds(material, claim.evidence),
    claim: `SOLO:${claim.id}`,
  }));
  const used =
    answer.position === "D" ? [] : named.filter(({ evidence }) => evidence.length > 0).map(({ claim }) => claim);
  return {
    ...composePlain(query, material, named, {
      ...said,
      used_claims: used,
      rejected_claims: [],
      needs_human_review: false,
    }),
    decided_by,
    votes: votes.map(({ voter, answer: { position } }) => ({ voter, position })),
    ...(faults ? { faults } : {}),
  };
}

function composePlain(
  query: string,
  material: Material,
  claims: Named[],
  supervision: Supervision,
): Omit<LawDecision, "decided_by"> {
  const { language, route, missing, cited } = material;
  return {
    ...supervision,
    disclaimer: word(language, "say.disclaimer"),
    language,
    query,
    route,
    missing,
    supervisor_position: null,
    review_reasons: [],
    claims,
    sources: listSources(material, claims),
    unknown_provisions: cited.filter(({ known }) => !known).map(({ text }) => text),
    summary: null,
    rounds: [],
    votes: [],
  };
}

function listSources(material: Material, claims: Claim[]): Source[] {
  const { language } = material;
  const ids = [...new Set(claims.flatMap(({ evidence }) => evidence))];
  return ids
    .flatMap((id) => findItem(material, id) ?? [])
    .map((item) => ({
      id: item.id,
      kind: item.kind,
      title: titleOf(item, language),
      statement: statementOf(item, language),
      scope: scopeOf(item, language),
      source: sourceOf(item, language),
      confidence: item.confidence,
      imported: item.imported,
    }));
}
