import type { LogEvent, ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import { matchChange } from "../clues/match-signs.ts";
import type { Places } from "../clues/create-places.ts";
import { isLinkedEnough, rateAntecedent } from "../clues/rate-antecedent.ts";
import type { Links } from "../clues/create-links.ts";

/** What is said often is no change. */
const mostTimes = 3;
/** A log that begins with its trouble cannot show what is new. */
const leastQuiet = 0.1;
const mostChanges = 3;
const mostKept = 12;
const clear = 0.3;

/**
 * What was said seldom before the trouble began (root-cause spec §4.6), best first. The best changes are findings of
 * their own, anything else is what else was going on.
 */
export function findChanges(
  log: ParsedLog,
  trouble: readonly Finding[],
  { places, links }: { places: Places; links: Links },
): Finding[] {
  const told = trouble.filter(({ strength, firstMs }) => strength >= clear && firstMs !== null);
  const last = Math.max(...told.map(({ firstMs }) => firstMs ?? 0));
  const counts = new Map(log.templates.map(({ id, count }) => [id, count]));
  const rated = log.events.flatMap((event) => {
    const { timestamp, level, template_id } = event;
    const count = counts.get(template_id) ?? 1;
    if (timestamp === null || timestamp >= last || count > mostTimes || level === "ERROR" || level === "FATAL")
      return [];
    const finding = buildFinding(event, count, places);
    const later = told.filter(({ firstMs }) => (firstMs ?? 0) > timestamp && hasQuietPart(log, firstMs ?? 0));
    const weight = Math.max(0, ...later.map((one) => rateAntecedent(finding, [one], { firstMs: one.firstMs, links })));
    return isLinkedEnough(weight) ? [{ finding, weight }] : [];
  });
  const best = rated.toSorted((a, b) => b.weight - a.weight).slice(0, mostKept);
  const changes = new Set(best.filter(({ finding }) => finding.sign === "recent_change").slice(0, mostChanges));
  return best.map((one) => (changes.has(one) ? one.finding : { ...one.finding, role: "context", strength: 0 }));
}

function hasQuietPart({ totals }: ParsedLog, began: number): boolean {
  const { first_timestamp: first, last_timestamp: last } = totals;
  return first !== null && last !== null && began - first >= leastQuiet * (last - first);
}

/** What speaks for a line by itself: that it tells of a change, that it was said once, that it was a warning. */
const weights = { named: 1, once: 0.2, warned: 0.2 };

function buildFinding(event: LogEvent, count: number, places: Places): Finding {
  const change = matchChange(event.message);
  const weight =
    (change ? weights.named : 0) + (count === 1 ? weights.once : 0) + (event.level === "WARN" ? weights.warned : 0);
  const said = {
    weight,
    place: places.event(event),
    lines: [citeEvent(event)],
    templates: [event.template_id],
    count: 1,
    firstMs: event.timestamp,
  };
  if (!change)
    return {
      ...said,
      sign: "first_time",
      category: "none",
      role: "context",
      strength: 0,
      says: "said something for the first time before the trouble began",
      resolution: [],
    };
  return {
    ...said,
    sign: "recent_change",
    category: change.category,
    role: "symptom",
    strength: change.strength,
    says: `${change.says} before the trouble began ("${event.message.slice(0, 80)}")`,
    resolution: change.resolution,
  };
}
