import { isFiled } from "../../../contract/run.ts";
import type { DebateSummary, Reason } from "../schemas/decision.ts";
import type { Domain, Language, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim, LawPosition, Supervision } from "../schemas/messages.ts";
import { matchWord, word } from "../words/word.ts";
import { listClaims, type NamedClaim, sideOf } from "./claims.ts";
import { citeTitle, findItem, isScopeUnstated, readStance, scopeOf, sourceOf, statementOf } from "./evidence.ts";
import type { SupervisorInput } from "./role-inputs.ts";

/** The conclusion in plain words, only from the claims that stand (law spec §5.3). */
export function wordConclusion(input: SupervisorInput): Supervision {
  const { material, summary } = input;
  const { language } = material;
  const { position, standing, why } = summary.position;
  const [named, used] = [listClaims(input), listUsed(input)];
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
    answer: writeAnswer(input),
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

/** The paragraphs that end every answer: why a person must look, the position, and that it is no advice. */
export function listClosing(language: Language, position: LawPosition, reasons: Reason[]): string[] {
  const why = reasons.map(({ message }) => message).join("; ");
  return [
    ...(reasons.length > 0 ? [word(language, "say.human_review", { reasons: why })] : []),
    `${word(language, "label.position")} ${position}: ${word(language, `position.${position}`)}.`,
    word(language, "say.disclaimer"),
  ];
}

/** The answer in one sentence, or one for each law, from the claims that stand: it comes first, whoever supervises (law spec §5.3). */
export function sayLead(input: SupervisorInput): string {
  const { query, material, summary } = input;
  const { position, why } = summary.position;
  const leading = selectLeading(input);
  if (leading.length === 0) return why.join(" ");
  const readings = leading.map((claim) => {
    const { text, titles } = quote(claim, material);
    return [
      leading.length > 1 ? nameLaw(material, sideOf(claim, material)) : "",
      sayYesOrNo(query, text, material),
      `${[trimEnd(text), ...titles.map((title) => `(${title})`)].join(" ")}.`,
    ];
  });
  const relation = leading.length < 2 ? "" : position === "C" ? "say.lead_clash" : "say.lead_both";
  return [relation && word(material.language, relation), ...readings.flat()].filter(Boolean).join(" ");
}

function listUsed({ nla, ala, summary }: SupervisorInput): NamedClaim[] {
  return listClaims({ nla, ala }).filter(({ claim }) => summary.position.standing.includes(claim));
}

const domains: Domain[] = ["national", "adat"];
const deciding: Record<LawPosition, Domain[]> = { A: ["national"], B: ["adat"], C: domains, D: [], E: domains };

/** The first claim of each law that decides. */
export function selectLeading(input: SupervisorInput): NamedClaim[] {
  const used = listUsed(input);
  return deciding[input.summary.position.position].flatMap(
    (side) => used.find((claim) => sideOf(claim, input.material) === side) ?? [],
  );
}

function writeAnswer(input: SupervisorInput): string {
  const { material } = input;
  const { language, cited, frame, route } = material;
  const used = listUsed(input);
  const say = (key: string, name: string, values: string[]): string =>
    values.length > 0 ? word(language, `say.${key}`, { [name]: [...new Set(values)].join("; ") }) : "";
  const [lead, leading] = [sayLead(input), selectLeading(input).map(({ claim }) => claim)];
  const rest = used.filter(({ claim }) => !leading.includes(claim));
  const items = used.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []));
  // Assumptions stay with their claims; the answer says only whom its sources bind.
  const assumed = items.filter((item) => isScopeUnstated(item, material)).map((item) => scopeOf(item, language) ?? "");
  const unknown = cited.flatMap(({ known, text }) => (known ? [] : text));
  // Say only once what is missing.
  const isSaid = used.length === 0 && route.label === "pure_adat" && frame.uncovered.length > 0;
  const parts = [
    say("unknown_provision", "provisions", unknown),
    isSaid ? "" : lead,
    say("assuming", "assumptions", assumed.filter(Boolean).map(trimEnd)),
    say("uncovered", "peoples", frame.uncovered),
    ...domains.map((side) => listReading(material, side, rest)),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function nameLaw({ language, frame }: Material, side: Domain): string {
  const peoples = frame.communities.map(capitalise).join(", ");
  return word(language, side === "adat" && peoples === "" ? "say.any_adat" : `say.${side}`, { peoples });
}

const asks = matchWord("asks");

/** Yes or no only if the source itself says it about the question; details of a story may reverse it. */
function sayYesOrNo(query: string, text: string, { language }: Material): string {
  const asked = query.split(/,\s+/u).findLast((part) => asks.exec(part)?.index === 0);
  if (asked === undefined || /[.!?]\s+\S/u.test(query)) return "";
  const stance = readStance(asked, text);
  return stance === null ? "" : word(language, `say.${stance}`);
}

/** A claim as the answer quotes it: in the words of its source, since a claim may distort them, with its title. */
function quote({ statement, evidence }: Claim, material: Material): { text: string; titles: string[] } {
  const { language } = material;
  const items = evidence.flatMap((id) => findItem(material, id) ?? []).filter(({ kind }) => kind !== "kg");
  const item = items.find(({ answers }) => answers) ?? items[0];
  if (!item || evidence.some(isFiled)) return { text: statement, titles: items.map((one) => citeTitle(one, language)) };
  const named = item.kind === "rule" ? items.filter(({ id }) => item.related.includes(id)) : [item];
  const cite = (one: MaterialItem): string =>
    [citeTitle(one, language), ...(one.kind === "norm" ? [sourceOf(one, language)] : [])]
      .join(": ")
      .replaceAll(/\s*\((?!\d+\))([^)]*)\)/gu, ", $1");
  return { text: statementOf(item, language), titles: [...new Set(named.map(cite))] };
}

function listReading(material: Material, side: Domain, claims: NamedClaim[]): string {
  const own = claims.filter((claim) => sideOf(claim, material) === side);
  const lines = own.map((one) => {
    const { text, titles } = quote(one, material);
    return `- ${trimEnd(text)} (${titles.join("; ")}). [${one.claim}]`;
  });
  return lines.length > 0 ? [nameLaw(material, side), ...lines].join("\n") : "";
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function trimEnd(text: string): string {
  return text.trim().replace(/(?<![.\s])[.\s]+$/u, "");
}
