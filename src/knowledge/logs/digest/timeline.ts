import type { TimelineEntry } from "../../../contract/parsed-log.ts";
import type { LogDigest } from "./log-digest.ts";
import { isBad } from "./shape-facts.ts";

export type TemplateNames = { idOf(shape: number): string; textOf(shape: number): string };

/** The timeline: start and end, the first error, and the first event of each bad level (root-cause spec §2.5). */
export function buildTimeline(digest: LogDigest, names: TemplateNames): TimelineEntry[] {
  const entries = [...listEnds(digest), ...listFirsts(digest, names)];
  return entries.sort((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
}

function makeEntry(
  fields: Pick<TimelineEntry, "kind" | "line" | "timestamp" | "description"> & Partial<TimelineEntry>,
) {
  return { file: null, template_id: null, count: null, duration_ms: null, ...fields };
}

function listEnds({ firstTimestamp, lastTimestamp, firstAt, lastAt, events }: LogDigest): TimelineEntry[] {
  if (firstTimestamp === null || lastTimestamp === null) return [];
  const seconds = Math.round((lastTimestamp - firstTimestamp) / 1000);
  return [
    makeEntry({ kind: "start", ...firstAt, timestamp: firstTimestamp, description: "first event" }),
    makeEntry({
      kind: "end",
      ...lastAt,
      timestamp: lastTimestamp,
      description: `last event, ${seconds} s and ${events} events later`,
      count: events,
      duration_ms: lastTimestamp - firstTimestamp,
    }),
  ];
}

function listFirsts({ firstError: first, firstOfLevel }: LogDigest, names: TemplateNames): TimelineEntry[] {
  const levels = [...firstOfLevel].filter(
    ([level, { order }]) => (level === "WARN" || isBad(level)) && order !== first?.order,
  );
  const marked = [
    ...(first ? [{ event: first, kind: "first_error" as const, what: "first error" }] : []),
    ...levels.map(([level, event]) => ({ event, kind: "level_change" as const, what: `first ${level}` })),
  ];
  return marked.map(({ event, kind, what }) =>
    makeEntry({
      kind,
      line: event.line,
      file: event.file,
      timestamp: event.timestamp,
      description: `${what}: ${event.message.slice(0, 200)}`,
      template_id: names.idOf(event.shape),
    }),
  );
}
