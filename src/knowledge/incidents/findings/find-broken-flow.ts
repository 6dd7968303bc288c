import type { LogTemplate, ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";

/** A template is missing when it occurs less than this share of how often its component's load makes one expect. */
const missingShare = 0.1;
const leastExpected = 5;

/** Components that are busy and yet do not print what they print in the reference: a path through them is broken. */
export function findBrokenFlows(log: ParsedLog): Finding[] {
  if (log.reference === null) return [];
  const all = Map.groupBy([...log.templates, ...log.reference.vanished], ({ component }) => component ?? "");
  const broken = [...all].flatMap(([place, templates]) => findBrokenPath(place, templates));
  return broken.map((path) => buildFinding(path, log, broken.length));
}

type BrokenPath = { place: string; missing: LogTemplate; expected: number };

function findBrokenPath(place: string, templates: LogTemplate[]): BrokenPath[] {
  const steady = templates.filter(({ reference_count, level }) => (reference_count ?? 0) >= 3 && isQuiet(level));
  if (steady.length < 2) return [];
  const ratios = steady
    .map(({ count, reference_count }) => (count + 0.5) / ((reference_count ?? 0) + 0.5))
    .sort((a, b) => a - b);
  const load = ratios[Math.floor(ratios.length / 2)] ?? 0;
  const [worst] = steady
    .map((missing) => ({ place, missing, expected: (missing.reference_count ?? 0) * load }))
    .filter(({ missing, expected }) => expected >= leastExpected && missing.count <= missingShare * expected)
    .sort((a, b) => b.expected - a.expected);
  return worst ? [worst] : [];
}

/** An error that is missing is not a sign of trouble. */
function isQuiet(level: LogTemplate["level"]): boolean {
  return level !== "ERROR" && level !== "FATAL" && level !== "WARN";
}

function buildFinding({ place, missing, expected }: BrokenPath, log: ParsedLog, broken: number): Finding {
  const lines = log.events
    .filter(({ component }) => component === place)
    .slice(0, 2)
    .map(citeEvent);
  return {
    sign: "broken_flow",
    category: "software",
    role: "symptom",
    strength: (0.45 * (1 - Math.exp(-expected / 8))) / Math.sqrt(broken),
    place: place || null,
    says: `returns early: "${missing.template.trim().slice(0, 100)}" is missing (${missing.count} times where about ${Math.round(expected)} are usual)`,
    lines,
    templates: [missing.id],
    count: missing.count,
    firstMs: null,
    resolution: [
      `Compare the path through ${place || "the component"} that no longer gets to "${missing.template.trim().slice(0, 80)}" with its last good version`,
    ],
  };
}
