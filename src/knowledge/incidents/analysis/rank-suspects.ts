import type { Category } from "../schemas/incident.ts";
import type { Links } from "../clues/create-links.ts";
import { type Finding, combineStrengths } from "../clues/finding.ts";
import { isLinkedEnough, rateAntecedent } from "../clues/rate-antecedent.ts";
import { weighOrder } from "../clues/weigh-order.ts";

/** A possible cause: a category at a place, with the findings that speak for it and those it would explain. */
export type Suspect = {
  category: Category;
  place: string | null;
  /** How well the log supports it, 0..1. */
  score: number;
  findings: Finding[];
  explains: Finding[];
  firstMs: number | null;
  /** Which of several unrelated incidents it belongs to; null when there is one only. */
  strand: number | null;
  /** What was changed or said before it began and most likely has to do with it. */
  change: Finding | null;
};

const isFault = ({ role }: Finding) => role === "cause" || role === "symptom";
/** A symptom says less about its own category once something names a cause: it may follow from that. */
const overshadowed = 0.5;
const clearCause = 0.4;
/** Symptoms in work that ended well were overcome. */
const overcome = 0.8;
/** What began after another named cause may be its effect. */
const laterFactor = 0.92;
/** What another clear cause is known to lead to is most likely its effect. */
const effectFactor = 0.6;

/** The suspects of a log, the best supported first; equal ones by who began first, then by name. Only trouble of the same strand is set in relation. */
export function rankSuspects(
  findings: readonly Finding[],
  strandOf: (finding: Finding) => number | null = () => null,
  links: Links = () => false,
): Suspect[] {
  const all = findings.filter(isFault);
  const endedWell = findings.some(({ role }) => role === "recovery");
  const groups = groupFindings(all);
  return groups
    .map(({ category, place, findings: own }) => {
      const strand = own.map(strandOf).find((one) => one !== null) ?? null;
      const isSame = (finding: Finding) => strand === null || (strandOf(finding) ?? strand) === strand;
      const faults = all.filter(isSame);
      const firstCause = Math.min(...faults.filter(isClear).map(({ firstMs }) => firstMs ?? Number.POSITIVE_INFINITY));
      const firsts = own.flatMap(({ firstMs }) => firstMs ?? []);
      const firstMs = firsts.length > 0 ? Math.min(...firsts) : null;
      const later = firstMs !== null && firstMs > firstCause ? laterFactor : 1;
      const order = weighOrder(own.map(sight), faults.filter((finding) => !own.includes(finding)).map(sight));
      const score = scoreSuspect(own, faults, endedWell) * later * order * (isEffect(own, faults) ? effectFactor : 1);
      const changes = findings.filter((finding) => isSame(finding) || links(finding, own));
      const change = findChange(own, changes, links);
      return {
        category,
        place,
        score,
        findings: sortFindings(own),
        explains: listExplained(own, faults),
        firstMs,
        strand,
        change,
      };
    })
    .sort((a, b) => b.score - a.score || (a.firstMs ?? 0) - (b.firstMs ?? 0) || compare(a.place, b.place));
}

/** Of what was said before the strongest trouble of a suspect, what most likely has to do with it. */
function findChange(own: Finding[], findings: readonly Finding[], links: Links): Finding | null {
  const firstMs = sortFindings(own.filter(({ weight }) => weight === undefined))[0]?.firstMs ?? null;
  const rated = findings
    .filter(({ weight }) => weight !== undefined)
    .map((finding) => ({ finding, weight: rateAntecedent(finding, own, { firstMs, links }) }))
    .filter(({ weight }) => isLinkedEnough(weight));
  return rated.toSorted((a, b) => b.weight - a.weight)[0]?.finding ?? null;
}

const kinds: Record<string, "counted" | "silent"> = {
  failing_requests: "counted",
  stopped_work: "silent",
  recent_change: "silent",
};

function sight({ role, strength, firstMs, sign }: Finding) {
  return { role, strength, firstMs, kind: kinds[sign] ?? ("said" as const) };
}

/** A cause that is named clearly. */
function isClear({ role, strength }: Finding): boolean {
  return role === "cause" && strength >= clearCause;
}

type Group = { category: Category; place: string | null; findings: Finding[] };

/** Lines about machines and links often leave out which one; what a program says without a name is another program's. */
const ofMachines = new Set<Category>(["hardware", "network"]);

/** Findings of one category at one place; without a place, trouble of machines and links belongs to every place. */
function groupFindings(faults: Finding[]): Group[] {
  const byCategory = Map.groupBy(faults, ({ category }) => category);
  return [...byCategory].flatMap(([category, all]): Group[] => {
    const anywhere = all.filter(({ place }) => place === null);
    const placed = Map.groupBy(
      all.filter(({ place }) => place !== null),
      ({ place }) => place ?? "",
    );
    const apart: Group = { category, place: null, findings: anywhere };
    if (placed.size === 0) return [apart];
    if (!ofMachines.has(category) && anywhere.length > 0)
      return [apart, ...[...placed].map(([place, own]) => ({ category, place, findings: own }))];
    return [...placed].map(([place, own]) => ({ category, place, findings: [...own, ...anywhere] }));
  });
}

function scoreSuspect(own: Finding[], faults: Finding[], endedWell: boolean): number {
  const strengthsOf = (role: Finding["role"]) => [
    ...pickStrongest(own.filter((finding) => finding.role === role)).values(),
  ];
  const causes = combineStrengths(strengthsOf("cause"));
  const symptoms = combineSymptoms(strengthsOf("symptom")) * (endedWell ? overcome : 1);
  const shadowed = causes > 0 || faults.some((finding) => isClear(finding) && !own.includes(finding));
  return combineStrengths([causes, symptoms * (shadowed ? overshadowed : 1)]);
}

/** Symptoms of one place usually have one cause, so they are not independent arguments: the strongest counts most. */
function combineSymptoms(strengths: number[]): number {
  const [strongest = 0, ...others] = strengths.toSorted((a, b) => b - a);
  return strongest + 0.3 * (1 - strongest) * combineStrengths(others);
}

/** Of each sign the strongest: the same thing said twice is one argument. */
function pickStrongest(findings: Finding[]): Map<string, number> {
  const strongest = new Map<string, number>();
  for (const { sign, strength } of findings) strongest.set(sign, Math.max(strength, strongest.get(sign) ?? 0));
  return strongest;
}

/** A named cause explains the symptoms of all categories and the later, weaker errors of other places. */
function listExplained(own: Finding[], faults: Finding[]): Finding[] {
  const cause = own.filter(({ role }) => role === "cause").sort((a, b) => b.strength - a.strength)[0];
  if (!cause) return own;
  return faults.filter((finding) => own.includes(finding) || isSymptomOf(finding, cause) || follows(finding, cause));
}

/** A weak cause cannot account for strong symptoms. */
function isSymptomOf({ role, strength }: Finding, cause: Finding): boolean {
  return role === "symptom" && strength <= cause.strength;
}

/** Whether the strongest of these findings is what another clear cause is known to lead to. */
function isEffect(own: Finding[], faults: Finding[]): boolean {
  const [main] = sortFindings(own);
  return faults.some(
    (other) => isClear(other) && !own.includes(other) && (other.leadsTo ?? []).includes(main?.sign ?? ""),
  );
}

function follows(finding: Finding, cause: Finding): boolean {
  if (cause.leadsTo?.includes(finding.sign)) return true;
  const later = finding.firstMs === null || cause.firstMs === null || finding.firstMs >= cause.firstMs;
  return finding.category === "software" && later && finding.strength < cause.strength;
}

function sortFindings(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => b.strength - a.strength || (a.firstMs ?? 0) - (b.firstMs ?? 0));
}

function compare(a: string | null, b: string | null): number {
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
