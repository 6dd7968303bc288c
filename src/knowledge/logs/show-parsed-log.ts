import type { LogHop, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";

type Show = { width: number; templates: number };

/** What `parley rca` can show alone. */
export const logParts = ["templates", "errors", "timeline"] as const;
export type LogPart = (typeof logParts)[number];

/** The parsed log as text for a terminal: totals, templates, errors and the timeline. */
export function showParsedLog(log: ParsedLog, options: Show): string {
  return fit(
    [
      writeTotals(log),
      ...listTemplateSections(log, options),
      writeErrors(log),
      ...listRateSections(log),
      writeTimeline(log),
    ],
    options.width,
  );
}

/** One part of the parsed log as text. */
export function showPart(log: ParsedLog, part: LogPart, options: Show): string {
  const sections = {
    templates: () => listTemplateSections(log, options),
    errors: () => [writeErrors(log) || "No errors."],
    timeline: () => [...listRateSections(log), writeTimeline(log) || "No times."],
  };
  return fit(sections[part](), options.width);
}

function fit(parts: readonly string[], width: number): string {
  const lines = parts
    .filter((part) => part !== "")
    .join("\n\n")
    .split("\n");
  return `${lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join("\n")}\n`;
}

function listTemplateSections(log: ParsedLog, options: Show): string[] {
  const shown = log.templates.slice(0, options.templates);
  const more = log.totals.templates - shown.length;
  const vanished = (log.reference?.vanished ?? []).slice(0, 20);
  return [
    writeSection("Templates", [...shown.map((t) => writeTemplateLine(t)), ...(more > 0 ? [`… and ${more} more`] : [])]),
    writeSection(
      "Vanished",
      vanished.map((t) => `${String(t.reference_count ?? 0).padStart(8)}  ${t.template}`),
    ),
  ];
}

function writeErrors(log: ParsedLog): string {
  const errors = log.error_messages.slice(0, 20);
  return writeSection(
    "Errors",
    errors.map((e) => `${String(e.count).padStart(8)}  ${e.error_type}  ${namePlace(log, e)}  ${e.message}`),
  );
}

function listRateSections(log: ParsedLog): string[] {
  const found = log.findings.slice(0, 15);
  return [
    writeSection(
      "Numbers",
      found.map(
        (one) => `${one.kind.padStart(13)}  ${printTime(one.from)}  ${one.component ?? "-"}: ${one.description}`,
      ),
    ),
    writeSection("Calls", (log.hops ?? []).slice(0, 15).map(writeHop)),
  ];
}

function writeTimeline(log: ParsedLog): string {
  return writeSection(
    "Timeline",
    log.timeline.map((e) => `${printTime(e.timestamp)}  ${e.kind.padEnd(15)}  ${namePlace(log, e)}  ${e.description}`),
  );
}

function writeTotals({ totals, sources }: ParsedLog): string {
  const formats = [...new Set(sources.flatMap(({ format }) => format ?? []))].join(", ");
  const levels = Object.entries(totals.events_by_level).map(([level, count]) => `${level} ${count}`);
  const outside = totals.outside_window > 0 ? `, ${totals.outside_window} events are outside the window` : "";
  const span =
    totals.first_timestamp === null
      ? "no timestamps"
      : `${printTime(totals.first_timestamp)} to ${printTime(totals.last_timestamp)}`;
  return [
    `${totals.lines} lines of ${totals.files} ${totals.files === 1 ? "file" : "files"} (${formats}): ${totals.events} events, ${totals.templates} templates`,
    `${span}; ${levels.join(", ")}`,
    `${totals.continuation_lines} lines continue an event, ${totals.blank_lines} are blank${outside}`,
    `kept for prompts: ${totals.kept_events} events; left out: ${totals.left_out_events}`,
  ].join("\n");
}

function writeTemplateLine(template: LogTemplate): string {
  const change =
    template.change === null || template.change === "same"
      ? ""
      : ` [${template.change}: ${template.reference_count} before]`;
  return `${String(template.count).padStart(8)}  ${(template.level ?? "-").padEnd(5)}  ${template.id.padEnd(5)}  ${template.template}${change}`;
}

function writeHop(hop: LogHop): string {
  const before = hop.reference_median_ms === null ? "" : `, ${hop.reference_median_ms} ms before`;
  const change = hop.change === null || hop.change === "same" ? "" : ` [${hop.change}]`;
  const took = hop.median_ms === null ? "" : `, about ${hop.median_ms} ms, at most ${hop.longest_ms} ms`;
  const failed = hop.error_count > 0 ? `, ${hop.error_count} with errors` : "";
  return `${String(hop.count).padStart(8)}  ${hop.caller} → ${hop.callee}${took}${before}${failed}${change}`;
}

function writeSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}\n${lines.map((line) => line.replaceAll(/\s*\n\s*/g, " ")).join("\n")}`;
}

/** Where something stands; the file is left out when there is only one. */
function namePlace(log: ParsedLog, { file, line }: { file: string | null; line: number }): string {
  return log.sources.length > 1 ? `${file ?? "-"}:${line}` : `line ${line}`;
}

function printTime(time: number | null): string {
  return time === null ? "-".padEnd(23) : new Date(time).toISOString().slice(0, 23).replace("T", " ");
}
