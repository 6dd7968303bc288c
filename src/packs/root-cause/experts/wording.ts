import {
  type CitedLine,
  createPlaces,
  type Finding,
  type NoFault,
  type Suspect,
} from "../../../knowledge/incidents/index.ts";
import { isUnexplained, listWhatWouldTell } from "./unexplained.ts";
import { citeLine } from "../rules/cite-line.ts";
import type { Evidence, StatedHypothesis } from "../schemas/hypothesis.ts";
import type { LogEvent, ParsedLog } from "../../../knowledge/logs/index.ts";

const longestQuote = 240;

/** A line as evidence; of a long line the beginning is quoted. */
export function citeAsEvidence(log: ParsedLog, { line, file, quote }: CitedLine): Evidence {
  return { kind: "log", ref: citeLine(log, line, file), quote: quote.slice(0, longestQuote).trim() };
}

/** After this many lines that say the same, another one adds nothing. */
const mostAlike = 2;

/** The lines of findings as evidence: the strongest findings first, each line once, and few that say the same. */
export function gatherEvidence(log: ParsedLog, findings: Finding[], lines: number): Evidence[] {
  const items = interleave(findings.map((finding) => finding.lines)).map((line) => citeAsEvidence(log, line));
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  const fresh = items.filter(({ ref, quote }) => {
    const said = quote.replace(/\S*\d\S*/g, "").trim();
    alike.set(said, (alike.get(said) ?? 0) + 1);
    return quote !== "" && !seen.has(String(ref)) && seen.add(String(ref)) && (alike.get(said) ?? 0) <= mostAlike;
  });
  return fresh.slice(0, lines);
}

/** The lines that show a suspect, and the one that was said before it: who reads the claim can read both. */
function citeSuspect(log: ParsedLog, { findings, change }: Suspect, lines: number): Evidence[] {
  const shown = gatherEvidence(log, findings, lines);
  const before = change ? gatherEvidence(log, [change], 1) : [];
  return [...shown, ...before.filter(({ ref }) => !shown.some((item) => item.ref === ref))];
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
  const place = suspect.place ?? main?.speaker ?? nameless[suspect.category];
  const { lines, findings, steps } = depths[depth];
  const unexplained = isUnexplained(suspect, log);
  const followers = suspect.explains.filter((finding) => !suspect.findings.includes(finding)).sort(compareTimes);
  return {
    hypothesis: unexplained
      ? `Unknown: ${stateCause(suspect, place)}; the log does not say why`
      : stateCause(suspect, place),
    reasoning: writeReasoning(
      { ...suspect, findings: suspect.findings.slice(0, findings) },
      depth === "full" ? followers : [],
    ),
    evidence: citeSuspect(log, { ...suspect, findings: suspect.findings.slice(0, findings) }, lines),
    category: suspect.category,
    affected_components: listComponents(log, suspect),
    causal_path: tracePath(`${place} ${main?.says ?? "failed"}`, suspect, followers).slice(0, steps),
    suggested_resolution: unexplained
      ? listWhatWouldTell(place, suspect.firstMs)
      : [...new Set([suspect.change, ...suspect.findings].flatMap((finding) => finding?.resolution ?? []))].slice(
          0,
          steps,
        ),
    changes_made: null,
    from: null,
  };
}

/** The cause in one sentence: who, what, in the log's own words, and the change that it came right after. */
function stateCause({ findings: [main], change, firstMs }: Suspect, place: string): string {
  const says = main?.says ?? "failed";
  const quoted = main?.words && !says.includes(main.words) ? `: ${main.words}` : "";
  const after = change?.words
    ? `; ${writeGap((firstMs ?? 0) - (change.firstMs ?? 0))} before it, ${change.speaker ?? "the log"} said: ${change.words}`
    : "";
  return `${place} ${says}${quoted}${after}`;
}

const shortMs = 5 * 60_000;

function writeGap(gapMs: number): string {
  return gapMs <= shortMs ? "right" : `${Math.round(gapMs / 60_000)} min`;
}

/** From what was changed or was seen before, over the cause, to what followed in the order of time. */
function tracePath(cause: string, { change, firstMs, category }: Suspect, followers: Finding[]): string[] {
  const changes = change ? [change] : [];
  const isEarlier = ({ category: own, strength, firstMs: at }: Finding) =>
    own === category && strength >= clearlySeen && at !== null && firstMs !== null && at < firstMs;
  const others = followers.filter(({ sign }) => sign !== "recent_change");
  const before = [...changes.map(writeBefore), ...others.filter(isEarlier).map(writeStep)];
  const after = others.filter((finding) => !isEarlier(finding)).map(writeStep);
  return [...new Set([...before, cause, ...after])].slice(0, 5);
}

/** What is weaker than this is no step of a path that led to the trouble. */
const clearlySeen = 0.3;

function writeBefore(change: Finding): string {
  if (change.sign === "recent_change") return writeStep(change);
  return `${change.speaker ?? "the log"} said: ${change.words ?? ""}`;
}

function writeReasoning({ findings, firstMs }: Suspect, followers: Finding[]): string {
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
      : ` This would explain what follows: ${[...new Set(followers.map(writeStep))].slice(0, 3).join("; ")}.`;
  return `The log shows that ${shown.join("; ")}.${since}${then}`;
}

function writeStep({ place, says, category }: Finding): string {
  return `${place ?? nameless[category]} ${says}`;
}

/** The place, and where the cited lines come from. */
function listComponents(log: ParsedLog, { place, findings }: Suspect): string[] {
  const lines = new Set(findings.slice(0, 3).flatMap((finding) => finding.lines.map(({ line }) => line)));
  const places = createPlaces(log);
  const touched = log.events.filter((event) => holdsAny(event, lines)).flatMap((event) => places.event(event) ?? []);
  return [...new Set([...(place === null ? [] : [place]), ...touched])].slice(0, 5);
}

function holdsAny({ line, last_line }: LogEvent, lines: Set<number>): boolean {
  return lines.has(line) || (last_line !== undefined && lines.has(last_line));
}

function compareTimes(a: Finding, b: Finding): number {
  return (a.firstMs ?? Number.POSITIVE_INFINITY) - (b.firstMs ?? Number.POSITIVE_INFINITY) || b.strength - a.strength;
}

/** The hypothesis that these logs show no fault. */
export function stateNoFault(log: ParsedLog, noFault: NoFault): Omit<StatedHypothesis, "id" | "confidence"> {
  const { findings, endedWell } = noFault;
  const said = [...new Set(findings.map(({ says }) => says))].slice(0, 3).join("; ");
  return {
    hypothesis: "No fault in these logs",
    reasoning: `${said === "" ? "No line names a cause of trouble" : `The log shows that ${said}`}. ${endedWell ? "The work ended well, so what trouble there was did not last." : "What trouble there is names no cause."}`,
    evidence: gatherEvidence(log, findings, depths.brief.lines),
    category: "none",
    affected_components: [],
    causal_path: [],
    suggested_resolution: ["No action; do not alert on messages that a healthy run prints as well"],
    changes_made: null,
    from: null,
  };
}
