import type { DebateSummary, Reason } from "../schemas/decision.ts";
import type { Domain, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim, LawPosition, Supervision } from "../schemas/messages.ts";
import { matchWord, word } from "../words/word.ts";
import { listClaims, type NamedClaim, sideOf } from "./claims.ts";
import { citeTitle, findItem, readStance, scopeOf, statementOf, titleOf } from "./evidence.ts";
import type { SupervisorInput } from "./role-inputs.ts";

/** The conclusion in plain words, only from the claims that stand (law spec §5.3). */
export function wordConclusion({ query, material, nla, ala, summary }: SupervisorInput): Supervision {
  const { language } = material;
  const { position, standing, why } = summary.position;
  const named = listClaims({ nla, ala });
  const used = named.filter(({ claim }) => standing.includes(claim));
  const items = used.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []));
  const disputed = summary.disputed_claims.map(({ claim }) => claim);
  return {
    used_claims: used.map(({ claim }) => claim),
    rejected_claims: named
      .filter(({ claim }) => !standing.includes(claim))
      .map(({ claim }) => ({ claim, why: findWhy(summary, claim) })),
    applicable_regimes: [
      ...new Set(items.filter(({ kind }) => kind !== "kg").map((item) => describeRegime(item, material))),
    ],
    reasons: why,
    dissent:
      position !== "D" && disputed.length > 0 ? word(language, "say.dissent", { claims: disputed.join(", ") }) : null,
    position,
    answer: writeAnswer(query, material, {
      position,
      used,
      why,
      questions: [...nla.open_questions, ...ala.open_questions],
    }),
    needs_human_review: summary.needs_human_review,
    disclaimer: word(language, "say.disclaimer"),
  };
}

function findWhy({ disputed_claims, agreed_claims }: DebateSummary, name: string): string {
  return [...disputed_claims, ...agreed_claims].find(({ claim }) => claim === name)?.why ?? "";
}

function describeRegime(item: MaterialItem, { language }: Material): string {
  const name = word(language, `regime.${item.regime}`, { community: capitalise(item.community ?? "") });
  return [name, scopeOf(item, language) ?? []].flat().join(": ");
}

type Conclusion = { position: LawPosition; used: NamedClaim[]; why: string[]; questions: string[] };

export function closeAnswer(answer: string, material: Material, position: LawPosition, reasons: Reason[]): string {
  const { language } = material;
  const why = reasons.map(({ message }) => message).join("; ");
  const parts = [
    answer,
    reasons.length > 0 ? word(language, "say.human_review", { reasons: why }) : "",
    `${word(language, "label.position")} ${position}: ${word(language, `position.${position}`)}.`,
    answer.includes(word(language, "say.disclaimer")) ? "" : word(language, "say.disclaimer"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function writeAnswer(query: string, material: Material, { position, used, why, questions }: Conclusion): string {
  const { language, cited, frame } = material;
  const say = (key: string, values: Record<string, string> = {}): string => word(language, `say.${key}`, values);
  const unknown = cited.filter(({ known }) => !known).map(({ text }) => text);
  const assumptions = [...new Set(used.flatMap((claim) => claim.assumptions.map(trimEnd)))];
  const of = (side: Domain): NamedClaim[] => used.filter((claim) => sideOf(claim, material) === side);
  const [national, adat] = [of("national"), of("adat")];
  const first = (position === "B" ? adat[0] : national[0]) ?? used[0];
  const lead = (): string => {
    // Say only once what is missing.
    if (frame.uncovered.some((name) => used.length === 0 && why.join(" ").includes(name))) return "";
    if (position === "D" || !first) return why.join(" ");
    if (national[0] && adat[0]) return sayBoth(query, material, position, [national[0], adat[0]]);
    return [sayYesOrNo(query, first, material), `${trimEnd(first.statement)}.`].filter(Boolean).join(" ");
  };
  const listed = position === "C" || position === "E" ? used : used.filter((claim) => claim !== first);
  const sourceless = used
    .flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []))
    .filter(({ source }) => source === null)
    .map((item) => titleOf(item, language));
  const parts = [
    unknown.length > 0 ? say("unknown_provision", { provisions: unknown.join("; ") }) : "",
    lead(),
    frame.uncovered.length > 0 ? say("uncovered", { peoples: frame.uncovered.join(", ") }) : "",
    ...(["national", "adat"] as const).map((side) => listReading(material, side, listed)),
    sourceless.length > 0 ? say("sourceless", { titles: [...new Set(sourceless)].join("; ") }) : "",
    assumptions.length > 0 ? say("assuming", { assumptions: assumptions.join("; ") }) : "",
    used.length > 0 && questions.length > 0 ? say("depends", { questions: [...new Set(questions)].join("; ") }) : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function sayBoth(query: string, material: Material, position: LawPosition, [national, adat]: [Claim, Claim]): string {
  const [ours, theirs] = [national, adat].map((claim) => sayYesOrNo(query, claim, material)) as [string, string];
  const lead = word(material.language, position === "C" ? "say.lead_clash" : "say.lead_both");
  if (ours === "" || theirs === "" || position === "A")
    return position === "A" ? `${trimEnd(national.statement)}.` : lead;
  const plain = (text: string): string => trimEnd(text).toLowerCase();
  return `${lead} ${word(material.language, "say.by_law", { national: plain(ours), adat: plain(theirs) })}`;
}

const asks = matchWord("asks");

/** Yes or no only if the item itself says it about the question; details of a story may reverse it. */
function sayYesOrNo(query: string, { evidence }: Claim, material: Material): string {
  const item = findItem(material, evidence[0] ?? "");
  const asked = query.split(/,\s+/u).findLast((part) => asks.exec(part)?.index === 0);
  if (!item || asked === undefined || /[.!?]\s+\S/u.test(query)) return "";
  const stance = readStance(asked, statementOf(item, material.language));
  return stance === null ? "" : word(material.language, `say.${stance}`);
}

function listReading(material: Material, side: Domain, used: NamedClaim[]): string {
  const { language, frame } = material;
  const own = used.filter((claim) => sideOf(claim, material) === side);
  if (own.length === 0) return "";
  const peoples = frame.communities.map(capitalise).join(", ");
  const heading = word(language, side === "adat" && peoples === "" ? "say.any_adat" : `say.${side}`, { peoples });
  const lines = own.map((claim) => {
    const titles = claim.evidence
      .flatMap((id) => findItem(material, id) ?? [])
      .filter(
        (item) => item.kind !== "rule" && item.kind !== "kg" && !claim.statement.includes(citeTitle(item, language)),
      )
      .map((item) => titleOf(item, language));
    return `- ${claim.statement} [${[claim.claim, ...new Set(titles)].join("; ")}]`;
  });
  return [heading, ...lines].join("\n");
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function trimEnd(text: string): string {
  return text.trim().replace(/(?<![.\s])[.\s]+$/u, "");
}
