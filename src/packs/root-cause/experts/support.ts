import {
  type Analysis,
  combineStrengths,
  combineSymptoms,
  type Finding,
  isClear,
  isEffect,
  listExplained,
  type Match,
  type SimilarIncident,
  weighMatch,
} from "../../../knowledge/incidents/index.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";

/** What the judge could verify of a hypothesis. */
export type Support = {
  /** How well what was verified carries it, 0..1. */
  support: number;
  /** The facts that its quoted lines show. */
  cited: Finding[];
  /** Those of them that are of its kind, at a place it names. */
  own: Finding[];
  /** How far the past incident that it rests on carries over. */
  match: Match | null;
  /** Share of all trouble that it would explain. */
  coverage: number;
  /** The strongest trouble that it leaves unexplained. */
  unexplained: Finding | null;
  /** A clear cause that began before it, or is known to lead to it. */
  upstream: Finding | null;
};

const elsewhere = 0.6;
/** Quoted trouble of another kind still shows that something was wrong. */
const otherKind = 0.15;
const laterFactor = 0.92;
const effectFactor = 0.6;
const overshadowed = 0.5;
const overcome = 0.8;
/** How much a past incident that settles nothing adds to what the quotes show. */
const historyHelps = 0.1;

/**
 * Verifies a hypothesis by what it quotes (root-cause spec §4.6): which facts its lines show, whether another clear cause
 * came before or leads to it, how far the past incident it rests on carries over, and how much trouble it explains.
 */
export function weighSupport(
  hypothesis: AnonymousHypothesis,
  { findings, noFault }: Analysis,
  past: readonly SimilarIncident[],
): Support {
  const faults = findings.filter(({ role }) => role === "cause" || role === "symptom");
  const cited = findCited(hypothesis, findings);
  const match = findMatch(hypothesis, past);
  if (hypothesis.category === "none") {
    const { score, unexplained } = noFault;
    const support = match?.settles ? match.strength : score;
    return {
      support,
      cited,
      own: [],
      match,
      coverage: 1 - Math.min(unexplained, 1 - support),
      unexplained: pickStrongest(faults),
      upstream: null,
    };
  }
  const own = cited.filter(
    ({ category, role }) => category === hypothesis.category && (role === "cause" || role === "symptom"),
  );
  const upstream = findUpstream(own, faults);
  const shown = weighShown(hypothesis, own, { faults, endedWell: noFault.endedWell, upstream });
  const explained = match?.settles ? faults : own.length > 0 ? listExplained(own, faults) : [];
  return {
    support: combineShown(shown, match, cited.length > 0),
    cited,
    own,
    match,
    coverage: addStrengths(explained) / Math.max(0.01, addStrengths(faults)),
    unexplained: pickStrongest(faults.filter((finding) => !explained.includes(finding))),
    upstream: match?.settles ? null : upstream,
  };
}

/** What the quotes show and what history knows; a match that settles stands by itself, another only helps. */
function combineShown(shown: number, match: Match | null, hasFacts: boolean): number {
  if (match?.settles) return Math.max(shown, match.strength);
  const base = shown > 0 ? shown : hasFacts ? otherKind : 0.05;
  return combineStrengths([base, match ? historyHelps * match.strength : 0]);
}

type Scene = { faults: Finding[]; endedWell: boolean; upstream: Finding | null };

/** How strongly the quoted facts speak for the cause, less where they may follow from another one. */
function weighShown(hypothesis: AnonymousHypothesis, own: Finding[], { faults, endedWell, upstream }: Scene): number {
  if (own.length === 0) return 0;
  const strengthsOf = (role: Finding["role"]) => [
    ...own
      .filter((finding) => finding.role === role)
      .reduce((best, finding) => {
        const here = finding.strength * (namesPlace(hypothesis, finding) ? 1 : elsewhere);
        return best.set(finding.sign, Math.max(here, best.get(finding.sign) ?? 0));
      }, new Map<string, number>())
      .values(),
  ];
  const causes = combineStrengths(strengthsOf("cause"));
  const shadowed = causes > 0 || faults.some((finding) => isClear(finding) && !own.includes(finding));
  const symptoms = combineSymptoms(strengthsOf("symptom")) * (endedWell ? overcome : 1) * (shadowed ? overshadowed : 1);
  const order = upstream === null ? 1 : isEffect(own, faults) ? effectFactor : laterFactor;
  return combineStrengths([causes, symptoms]) * order;
}

/** The clear cause that leads to these facts, or else the earliest one that began before all of them. */
function findUpstream(own: Finding[], faults: Finding[]): Finding | null {
  const others = faults.filter((finding) => isClear(finding) && !own.includes(finding));
  const [main] = own.toSorted((a, b) => b.strength - a.strength);
  const leading = others.find(({ leadsTo = [] }) => leadsTo.includes(main?.sign ?? ""));
  if (leading) return leading;
  const first = Math.min(...own.flatMap(({ firstMs }) => firstMs ?? []));
  return others.find(({ firstMs }) => firstMs !== null && firstMs < first) ?? null;
}

/** The past incident that a hypothesis rests on: one that it cites and whose cause it takes over. */
function findMatch({ hypothesis, evidence }: AnonymousHypothesis, past: readonly SimilarIncident[]): Match | null {
  const ids = new Set(evidence.filter(({ kind }) => kind === "kg").map(({ ref }) => String(ref)));
  const cited = past.filter(({ incident_id }) => ids.has(incident_id));
  const own = cited.find(({ cause }) => hypothesis.includes(cause));
  if (own) return weighMatch(own);
  const [alike] = cited;
  return alike ? { ...weighMatch(alike), settles: false } : null;
}

/** The first component is where the hypothesis says the cause sits; others may merely be touched. */
function namesPlace({ hypothesis, affected_components }: AnonymousHypothesis, { place }: Finding): boolean {
  if (place === null) return true;
  const wanted = place.toLowerCase();
  return affected_components[0]?.toLowerCase() === wanted || hypothesis.toLowerCase().includes(wanted);
}

/** Findings whose lines are cited; one that only template counts show is cited when the words name it. */
function findCited(hypothesis: AnonymousHypothesis, findings: Finding[]): Finding[] {
  const lines = hypothesis.evidence
    .filter(({ kind }) => kind === "log")
    .map(({ ref }) => String(ref).match(/\d+$/)?.[0]);
  const refs = new Set(lines);
  const words = `${hypothesis.hypothesis}\n${hypothesis.reasoning}`;
  return findings.filter((finding) =>
    finding.lines.length > 0 ? finding.lines.some(({ line }) => refs.has(String(line))) : names(words, finding),
  );
}

const tellingWords = 60;

function names(words: string, { says, texts = [] }: Finding): boolean {
  return words.includes(says) || texts.some((text) => text.length > 10 && words.includes(text.slice(0, tellingWords)));
}

function pickStrongest(findings: Finding[]): Finding | null {
  return findings.toSorted((a, b) => b.strength - a.strength)[0] ?? null;
}

function addStrengths(findings: Finding[]): number {
  return findings.reduce((sum, { strength }) => sum + strength, 0);
}
