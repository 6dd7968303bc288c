import type { CitedLine, Finding } from "../analysis/finding.ts";
import type { NoFault } from "../analysis/no-fault.ts";
import { placesIn } from "../analysis/place-of.ts";
import type { Suspect } from "../analysis/suspects.ts";
import { lineRef } from "../evidence-ref.ts";
import type { Evidence, StatedHypothesis } from "../hypothesis.ts";
import type { LogEvent, ParsedLog } from "../logs/parsed-log.ts";

const longestQuote = 240;

/** A line as evidence; long lines are quoted up to a limit, which still is a quote. */
export function evidenceOf(log: ParsedLog, { line, file, quote }: CitedLine): Evidence {
  return { kind: "log", ref: lineRef(log, line, file), quote: quote.slice(0, longestQuote).trim() };
}

/** A line that says the same as these many others before it adds nothing. */
const mostAlike = 2;

/** The lines of findings as evidence: the strongest findings first, each line once, and few that say the same. */
export function evidenceFrom(log: ParsedLog, findings: Finding[], lines: number): Evidence[] {
  const items = interleave(findings.map((finding) => finding.lines)).map((line) => evidenceOf(log, line));
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  const fresh = items.filter(({ ref, quote }) => {
    const said = quote.replace(/\S*\d\S*/g, "").trim();
    alike.set(said, (alike.get(said) ?? 0) + 1);
    return quote !== "" && !seen.has(String(ref)) && seen.add(String(ref)) && (alike.get(said) ?? 0) <= mostAlike;
  });
  return fresh.slice(0, lines);
}

/** The first of each, then the second of each: evidence of several kinds before more of the same. */
function interleave<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

const nameless: Record<Suspect["category"], string> = {
  hardware: "A machine of the cluster",
  network: "The network",
  software: "The program",
  config: "The configuration",
  resource: "The system",
  none: "Nothing",
};

/** An opening names its cause with the lines that show it best; what follows from it is told when it is asked for. */
export type Depth = "brief" | "full";
const depths = { brief: { lines: 2, findings: 2, steps: 2 }, full: { lines: 6, findings: 5, steps: 5 } };

/** The hypothesis that a suspect amounts to. */
export function stateSuspect(
  log: ParsedLog,
  suspect: Suspect,
  depth: Depth,
): Omit<StatedHypothesis, "id" | "confidence"> {
  const [main] = suspect.findings;
  const place = suspect.place ?? nameless[suspect.category];
  const { lines, findings, steps } = depths[depth];
  const followers = suspect.explains.filter((finding) => !suspect.findings.includes(finding)).sort(byTime);
  return {
    hypothesis: `${place} ${main?.says ?? "failed"}`,
    reasoning: reasonOf(
      { ...suspect, findings: suspect.findings.slice(0, findings) },
      depth === "full" ? followers : [],
    ),
    evidence: evidenceFrom(log, suspect.findings.slice(0, findings), lines),
    category: suspect.category,
    affected_components: componentsOf(log, suspect),
    causal_path: pathOf(`${place} ${main?.says ?? "failed"}`, suspect, followers).slice(0, steps),
    suggested_resolution: [...new Set(suspect.findings.flatMap(({ resolution }) => resolution))].slice(0, steps),
    changes_made: null,
    from: null,
  };
}

/** From what was changed or was seen before, over the cause, to what followed in the order of time. */
function pathOf(cause: string, { explains, firstMs, category }: Suspect, followers: Finding[]): string[] {
  const changes = explains.filter(({ sign }) => sign === "recent_change");
  const isEarlier = (finding: Finding) =>
    finding.category === category && finding.firstMs !== null && firstMs !== null && finding.firstMs < firstMs;
  const others = followers.filter(({ sign }) => sign !== "recent_change");
  const before = [...changes, ...others.filter(isEarlier)].map(stepOf);
  const after = others.filter((finding) => !isEarlier(finding)).map(stepOf);
  return [...new Set([...before, cause, ...after])].slice(0, 5);
}

function reasonOf({ findings, firstMs }: Suspect, followers: Finding[]): string {
  const shown = findings
    .slice(0, 4)
    .map(
      ({ says, place, count, category }) =>
        `${place ?? nameless[category]} ${says} (${count} ${count === 1 ? "line" : "lines"})`,
    );
  const since = firstMs === null ? "" : ` It is first seen at ${new Date(firstMs).toISOString()}.`;
  const then =
    followers.length === 0
      ? ""
      : ` This would explain what follows: ${[...new Set(followers.map(stepOf))].slice(0, 3).join("; ")}.`;
  return `The log shows that ${shown.join("; ")}.${since}${then}`;
}

function stepOf({ place, says, category }: Finding): string {
  return `${place ?? nameless[category]} ${says}`;
}

/** The place, and where the cited lines come from. */
function componentsOf(log: ParsedLog, { place, findings }: Suspect): string[] {
  const lines = new Set(findings.slice(0, 3).flatMap((finding) => finding.lines.map(({ line }) => line)));
  const places = placesIn(log);
  const touched = log.events.filter((event) => holdsAny(event, lines)).flatMap((event) => places.event(event) ?? []);
  return [...new Set([...(place === null ? [] : [place]), ...touched])].slice(0, 5);
}

function holdsAny({ line, last_line }: LogEvent, lines: Set<number>): boolean {
  return lines.has(line) || (last_line !== undefined && lines.has(last_line));
}

function byTime(a: Finding, b: Finding): number {
  return (a.firstMs ?? Number.POSITIVE_INFINITY) - (b.firstMs ?? Number.POSITIVE_INFINITY) || b.strength - a.strength;
}

/** The hypothesis that these logs show no fault. */
export function stateNoFault(log: ParsedLog, noFault: NoFault): Omit<StatedHypothesis, "id" | "confidence"> {
  const { findings, endedWell } = noFault;
  const said = [...new Set(findings.map(({ says }) => says))].slice(0, 3).join("; ");
  return {
    hypothesis: "No fault in these logs",
    reasoning: `${said === "" ? "No line names a cause of trouble" : `The log shows that ${said}`}. ${endedWell ? "The work ended well, so what trouble there was did not last." : "What trouble there is names no cause."}`,
    evidence: evidenceFrom(log, findings, depths.brief.lines),
    category: "none",
    affected_components: [],
    causal_path: [],
    suggested_resolution: ["No action; do not alert on messages that a healthy run prints as well"],
    changes_made: null,
    from: null,
  };
}
