import type { DebateSummary, Reason } from "../schemas/decision.ts";
import type { Domain, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim, LawPosition, Supervision } from "../schemas/messages.ts";
import { matchWord, word } from "../words/word.ts";
import { listClaims, type NamedClaim, sideOf } from "./claims.ts";
import { bearsOn, citeTitle, findItem, readStance, scopeOf, statementOf, titleOf } from "./evidence.ts";
import { listTexts } from "./figures.ts";
import type { SupervisorInput } from "./role-inputs.ts";

/** The conclusion in plain words, only from the claims that stand (law spec §5.3). */
export function wordConclusion(input: SupervisorInput): Supervision {
  const { material, nla, ala, summary } = input;
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

const wins = matchWord("wins");
const denied = matchWord("denials", "lacks", "conditions");

/** The word by which a sentence lets one law win; "neither prevails" does not. */
export function findWinner(sentence: string): string | null {
  return sentence.includes("?") || denied.test(sentence) ? null : (wins.exec(sentence)?.[0] ?? null);
}

/** The answer in one sentence, or one for each law, from the claims that stand: it comes first, whoever supervises (law spec §5.3). */
export function sayLead({ query, material, nla, ala, summary }: SupervisorInput): string {
  const { position, standing, why } = summary.position;
  const lead = selectLeading(listClaims({ nla, ala }), standing, position, material);
  if (lead.length === 0) return why.join(" ");
  const sentences = lead.map((claim) => [sayYesOrNo(query, claim, material), `${trimEnd(claim.statement)}.`]);
  if (lead.length === 1) return sentences.flat().filter(Boolean).join(" ");
  const laws = lead.map((claim) => nameLaw(material, sideOf(claim, material)));
  const readings = sentences.map((said, at) => [laws[at], ...said].filter(Boolean).join(" "));
  return [word(material.language, position === "C" ? "say.lead_clash" : "say.lead_both"), ...readings].join(" ");
}

/** The first claim of each law that decides. */
function selectLeading(
  named: NamedClaim[],
  standing: string[],
  position: LawPosition,
  material: Material,
): NamedClaim[] {
  const used = named.filter(({ claim }) => standing.includes(claim));
  const of = (side: Domain): NamedClaim[] => used.filter((claim) => sideOf(claim, material) === side).slice(0, 1);
  if (position === "A") return of("national");
  return position === "B" ? of("adat") : position === "D" ? [] : [...of("national"), ...of("adat")];
}

function writeAnswer(input: SupervisorInput): string {
  const { material, nla, ala, query, summary } = input;
  const { language, cited, frame } = material;
  const { standing, position } = summary.position;
  const say = (key: string, values: Record<string, string> = {}): string => word(language, `say.${key}`, values);
  const used = listClaims(input).filter(({ claim }) => standing.includes(claim));
  const items = used.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []));
  const list = (key: string, name: string, values: string[]): string =>
    values.length > 0 ? say(key, { [name]: [...new Set(values)].join("; ") }) : "";
  const lead = sayLead(input);
  const leading = selectLeading(used, standing, position, material);
  const isSaid = frame.uncovered.some((name) => used.length === 0 && lead.includes(name));
  const about = [query, ...used.map(({ statement }) => statement), ...items.flatMap(listTexts)];
  const questions = [...nla.open_questions, ...ala.open_questions].filter(
    (one) => one.trim().endsWith("?") && bearsOn(one, about),
  );
  const parts = [
    list(
      "unknown_provision",
      "provisions",
      cited.filter(({ known }) => !known).map(({ text }) => text),
    ),
    // Say only once what is missing.
    isSaid ? "" : lead,
    list("uncovered", "peoples", frame.uncovered),
    ...(["national", "adat"] as const).map((side) =>
      listReading(
        material,
        side,
        used.filter((claim) => !leading.includes(claim)),
      ),
    ),
    list(
      "sourceless",
      "titles",
      items.filter(({ source }) => source === null).map((item) => titleOf(item, language)),
    ),
    list(
      "assuming",
      "assumptions",
      used.flatMap(({ assumptions }) => assumptions.map(trimEnd)),
    ),
    used.length > 0 ? list("depends", "questions", questions) : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function nameLaw({ language, frame }: Material, side: Domain): string {
  const peoples = frame.communities.map(capitalise).join(", ");
  return word(language, side === "adat" && peoples === "" ? "say.any_adat" : `say.${side}`, { peoples });
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
  const { language } = material;
  const own = used.filter((claim) => sideOf(claim, material) === side);
  if (own.length === 0) return "";
  const lines = own.map((claim) => {
    const titles = claim.evidence
      .flatMap((id) => findItem(material, id) ?? [])
      .filter(
        (item) => item.kind !== "rule" && item.kind !== "kg" && !claim.statement.includes(citeTitle(item, language)),
      )
      .map((item) => titleOf(item, language));
    return `- ${claim.statement} [${[claim.claim, ...new Set(titles)].join("; ")}]`;
  });
  return [nameLaw(material, side), ...lines].join("\n");
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function trimEnd(text: string): string {
  return text.trim().replace(/(?<![.\s])[.\s]+$/u, "");
}
