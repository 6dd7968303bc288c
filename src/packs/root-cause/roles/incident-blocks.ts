import type { Block } from "../../../contract/prompt.ts";
import { roughTokens } from "../../../engine/prompt-pieces.ts";
import { lineRef } from "../evidence-ref.ts";
import type { ReasonerName } from "../hypothesis.ts";
import { levels, type LogEvent, type ParsedLog } from "../logs/parsed-log.ts";
import type { IncidentData } from "./reasoner-input.ts";

/** What a speaker sees of the incident (root-cause §4); errors come first because everybody sees them. */
export function incidentBlocks({ log, knowledge, logTokens }: IncidentData, sees: ReasonerName | "judge"): Block[] {
  const blocks: Block[] = [{ label: "ERRORS", json: errorsOf(log) }];
  if (sees !== "kg_focused") blocks.push(...logBlocks(log, logTokens));
  if (knowledge && (sees === "kg_focused" || sees === "hybrid"))
    blocks.push(
      { label: "SIMILAR INCIDENTS", json: knowledge.similar_incidents },
      { label: "CAUSAL PATHS", json: knowledge.causal_paths },
      { label: "ENTITY CONTEXT", json: knowledge.entity_context },
      { label: "PATTERNS", json: knowledge.patterns },
    );
  return blocks;
}

const mostErrors = 40;

function errorsOf(log: ParsedLog) {
  return log.error_messages.slice(0, mostErrors).map(({ error_type, message, component, file, line, count }) => ({
    error_type,
    message,
    component,
    line: lineRef(log, line, file),
    count,
  }));
}

function logBlocks(log: ParsedLog, tokens: number): Block[] {
  const { shown, leftOut } = eventsWithin(log, tokens);
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
    { label: "LEFT OUT", json: { ...log.totals, lines_not_shown_here: leftOut } },
    { label: "TIMELINE", json: log.timeline.map(({ kind, description, line }) => ({ kind, description, line })) },
    { label: "ENTITIES", json: entities },
    ...(changes.length > 0 ? [{ label: "CHANGES AGAINST THE HEALTHY REFERENCE", json: changes }] : []),
  ];
}

/** The most telling events that fit the budget, in the order of the log, each line with its reference. */
export function eventsWithin(log: ParsedLog, tokens: number): { shown: string[]; leftOut: number } {
  const ranked = log.events.toSorted((a, b) => weightOf(b) - weightOf(a) || a.line - b.line);
  const chosen = new Set<LogEvent>();
  let left = tokens;
  for (const event of ranked) {
    const cost = roughTokens(event.raw) + 4;
    if (cost > left) continue;
    left -= cost;
    chosen.add(event);
  }
  const shown = log.events.filter((event) => chosen.has(event)).flatMap((event) => linesOf(log, event));
  return { shown, leftOut: log.totals.events - chosen.size };
}

function linesOf(log: ParsedLog, event: LogEvent): string[] {
  return event.raw.split("\n").map((text, offset) => `${lineRef(log, event.line + offset, event.file)} | ${text}`);
}

function weightOf({ level, why }: LogEvent): number {
  return (level === null ? 1 : levels.indexOf(level)) + why.length;
}
