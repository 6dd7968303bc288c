import type { Block } from "../../../contract/prompt.ts";
import { estimateTokens } from "../../../engine/prompt-pieces.ts";
import { mostErrors } from "../rules/check-evidence.ts";
import { citeLine } from "../rules/cite-line.ts";
import type { ReasonerName } from "../schemas/hypothesis.ts";
import type { Knowledge } from "../../../knowledge/incidents/index.ts";
import { levels, type LogEvent, type ParsedLog } from "../../../knowledge/logs/index.ts";
import type { IncidentData } from "./role-inputs.ts";

/** What a speaker sees of the incident (root-cause spec §4.1); errors come first because everybody sees them. */
export function buildIncidentBlocks(
  { log, knowledge, logTokens }: IncidentData,
  sees: ReasonerName | "judge",
): Block[] {
  const blocks: Block[] = [{ label: "ERRORS", json: listErrors(log) }];
  if (sees !== "kg_focused") blocks.push(...buildLogBlocks(log, logTokens));
  if (knowledge && (sees === "kg_focused" || sees === "hybrid"))
    blocks.push(
      { label: "SIMILAR INCIDENTS", json: knowledge.similar_incidents },
      { label: "CAUSAL PATHS", json: knowledge.causal_paths },
      { label: "ENTITY CONTEXT", json: knowledge.entity_context },
      { label: "PATTERNS", json: sees === "hybrid" ? knowledge.patterns : knowledge.patterns.map(leaveOutLines) },
    );
  return blocks;
}

/** Who is not shown the lines is not told their numbers. */
function leaveOutLines({ lines: _lines, ...pattern }: Knowledge["patterns"][number]) {
  return pattern;
}

function listErrors(log: ParsedLog) {
  return log.error_messages.slice(0, mostErrors).map(({ error_type, message, component, file, line, count }) => ({
    error_type,
    message,
    component,
    line: citeLine(log, line, file),
    count,
  }));
}

function buildLogBlocks(log: ParsedLog, tokens: number): Block[] {
  const { shown, leftOut } = chooseEvents(log, tokens);
  const entities = log.entities
    .slice(0, 40)
    .map(({ type, name, count, error_count }) => ({ type, name, count, error_count }));
  const changes = log.templates
    .filter(({ change }) => change !== null && change !== "same")
    .slice(0, 60)
    .map(({ template, component, count, reference_count, change }) => ({
      change,
      component,
      template,
      count,
      reference_count,
    }));
  return [
    { label: "LOG LINES", text: shown.join("\n") },
    { label: "LEFT OUT", json: { ...log.totals, ...writeTimes(log), lines_not_shown_here: leftOut } },
    { label: "TIMELINE", json: log.timeline.map(({ kind, description, line }) => ({ kind, description, line })) },
    { label: "ENTITIES", json: entities },
    ...(changes.length > 0 ? [{ label: "CHANGES AGAINST THE HEALTHY REFERENCE", json: changes }] : []),
  ];
}

/** From when to when the log goes, as people write times. */
function writeTimes({ totals: { first_timestamp: first, last_timestamp: last } }: ParsedLog) {
  const write = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
  return { first_timestamp: write(first), last_timestamp: write(last) };
}

/** The most telling events that fit the budget, in the order of the log, each line with its reference. */
export function chooseEvents(log: ParsedLog, tokens: number): { shown: string[]; leftOut: number } {
  const ranked = log.events.toSorted((a, b) => weighEvent(b) - weighEvent(a) || a.line - b.line);
  const chosen = new Set<LogEvent>();
  let left = tokens;
  for (const event of ranked) {
    const cost = estimateTokens(event.raw) + 4;
    if (cost > left) continue;
    left -= cost;
    chosen.add(event);
  }
  const shown = log.events.filter((event) => chosen.has(event)).flatMap((event) => quoteLines(log, event));
  return { shown, leftOut: log.totals.events - chosen.size };
}

function quoteLines(log: ParsedLog, event: LogEvent): string[] {
  return event.raw.split("\n").map((text, offset) => `${citeLine(log, event.line + offset, event.file)} | ${text}`);
}

function weighEvent({ level, why }: LogEvent): number {
  return (level === null ? 1 : levels.indexOf(level)) + why.length;
}
