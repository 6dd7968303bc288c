import type { Analysis, Finding, Suspect } from "../../../knowledge/incidents/index.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";

/** What the log's facts say of a hypothesis. */
export type Support = {
  /** How well the facts carry it, 0..1. */
  support: number;
  suspect: Suspect | null;
  /** The findings whose lines it cites. */
  cited: Finding[];
  /** Share of all trouble that it would explain. */
  coverage: number;
  /** The strongest trouble that it leaves unexplained. */
  unexplained: Finding | null;
};

const unnamedPlace = 0.6;
const otherLines = 0.7;
const withoutSuspect = { withLines: 0.15, withoutLines: 0.05 };

/** Checks a hypothesis against what the log itself shows; `none` stands or falls with the unexplained trouble. */
export function weighSupport(hypothesis: AnonymousHypothesis, analysis: Analysis): Support {
  const faults = analysis.findings.filter(({ role }) => role === "cause" || role === "symptom");
  const cited = findCited(hypothesis, analysis.findings);
  if (hypothesis.category === "none") {
    const { score, unexplained } = analysis.noFault;
    return { support: score, suspect: null, cited, coverage: 1 - unexplained, unexplained: pickStrongest(faults) };
  }
  const [best] = analysis.suspects
    .filter(({ category }) => category === hypothesis.category)
    .map((suspect) => ({ suspect, support: suspect.score * rateMatch(hypothesis, suspect, cited) }))
    .sort((a, b) => b.support - a.support);
  if (!best) {
    const hasLines = hypothesis.evidence.some(({ kind }) => kind === "log");
    const support = hasLines ? withoutSuspect.withLines : withoutSuspect.withoutLines;
    return { support, suspect: null, cited, coverage: 0, unexplained: pickStrongest(faults) };
  }
  const { explains } = best.suspect;
  const left = faults.filter((finding) => !explains.includes(finding));
  return {
    ...best,
    cited,
    coverage: addStrengths(explains) / Math.max(0.01, addStrengths(faults)),
    unexplained: pickStrongest(left),
  };
}

function rateMatch(hypothesis: AnonymousHypothesis, { place, findings }: Suspect, cited: Finding[]): number {
  const named = place === null || namesPlace(hypothesis, place);
  const overlaps = cited.some((finding) => findings.includes(finding));
  return (named ? 1 : unnamedPlace) * (overlaps ? 1 : otherLines);
}

/** The first component is where the hypothesis says the cause sits; others may merely be touched. */
function namesPlace({ hypothesis, affected_components }: AnonymousHypothesis, place: string): boolean {
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
