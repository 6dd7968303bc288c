import type { LogEvent, ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import type { Places } from "../clues/create-places.ts";

const change =
  /\b(?:(?:started|starting|deployed|deploying|installed|upgraded? to|rolled out|rollout of|activated|synced \S+ to|switched to) (?:new )?(?:release|version|revision|build|image)|release \S+ (?:started|deployed|is live|rolled out)|(?:feature )?flag \S+ (?:is |was )?(?:enabled|disabled|turned|set|switched)|feature flag|config(?:uration)? (?:was )?(?:changed|reloaded|updated)|changed: \S+|schema migration|migrat(?:ed|ing) schema|version[=: ]+v?\d[\w.]*)\b/i;
/** What is said often is no change. */
const mostTimes = 3;
const windowMs = 30 * 60_000;
/** What was never said before counts when it was said this shortly before the trouble. */
const rightBeforeMs = 60_000;
/** A log that begins with its trouble cannot show what is new. */
const leastQuiet = 0.1;

/** Changes shortly before the trouble began: releases, configuration and schema changes, or whatever was said for the first time. */
export function findChanges(log: ParsedLog, trouble: readonly Finding[], places: Places): Finding[] {
  const began = findBeginning(trouble);
  if (began === null) return [];
  const counts = new Map(log.templates.map(({ id, count }) => [id, count]));
  const quiet = hasQuietPart(log, began);
  const before = log.events.filter(
    ({ timestamp, template_id }) =>
      timestamp !== null &&
      timestamp <= began &&
      began - timestamp <= windowMs &&
      (counts.get(template_id) ?? 1) <= mostTimes,
  );
  const named = before.filter(({ message }) => change.test(message)).slice(-3);
  const novel = before.filter((event) => quiet && !named.includes(event) && isNovel(event, began, counts)).slice(-1);
  return [...named.map((event) => buildFinding(event, places)), ...novel.map((event) => citeNovel(event, places))];
}

function findBeginning(trouble: readonly Finding[]): number | null {
  const clear = trouble.filter(
    ({ sign, role, strength }) =>
      sign !== "stopped_work" && (role === "cause" || (role === "symptom" && strength >= 0.4)),
  );
  const firsts = clear.flatMap(({ firstMs }) => firstMs ?? []);
  return firsts.length === 0 ? null : Math.min(...firsts);
}

function hasQuietPart({ totals }: ParsedLog, began: number): boolean {
  const { first_timestamp: first, last_timestamp: last } = totals;
  return first !== null && last !== null && began - first >= leastQuiet * (last - first);
}

function isNovel({ timestamp, level, template_id }: LogEvent, began: number, counts: Map<string, number>): boolean {
  const calm = level === null || level === "INFO" || level === "WARN";
  return calm && began - (timestamp ?? 0) <= rightBeforeMs && began !== timestamp && counts.get(template_id) === 1;
}

function buildFinding(event: LogEvent, places: Places): Finding {
  const config = /config|flag|changed: /i.test(event.message);
  return {
    ...citeNovel(event, places),
    sign: "recent_change",
    category: config ? "config" : "software",
    role: "symptom",
    strength: 0.35,
    says: `was changed shortly before the trouble began ("${event.message.slice(0, 80)}")`,
    resolution: ["Roll back the change and see whether the trouble ends"],
  };
}

/** What was said once, right before the trouble: no trouble itself, but worth a look. */
function citeNovel(event: LogEvent, places: Places): Finding {
  return {
    sign: "first_time",
    category: "none",
    role: "context",
    strength: 0,
    place: places.event(event),
    says: "said something for the first time right before the trouble began",
    lines: [citeEvent(event)],
    templates: [event.template_id],
    count: 1,
    firstMs: event.timestamp,
    resolution: [],
  };
}
