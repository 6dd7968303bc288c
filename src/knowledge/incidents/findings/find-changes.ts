import type { ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import type { Places } from "../clues/create-places.ts";

const change =
  /\b(?:(?:started|starting|deployed|deploying|installed|upgraded? to|rolled out|rollout of|activated) (?:new )?(?:release|version|revision|build|image)|release \S+ (?:started|deployed|is live)|feature flag|config(?:uration)? (?:was )?(?:changed|reloaded|updated)|schema migration|migrat(?:ed|ing) schema)\b/i;
const windowMs = 30 * 60_000;

/** Changes shortly before the trouble began: releases, configuration and schema changes are the first thing to ask about. */
export function findChanges(log: ParsedLog, trouble: readonly Finding[], places: Places): Finding[] {
  const firsts = trouble.filter(({ role }) => role === "cause").flatMap(({ firstMs }) => firstMs ?? []);
  if (firsts.length === 0) return [];
  const began = Math.min(...firsts);
  return log.events
    .filter(
      ({ timestamp, message }) =>
        timestamp !== null && timestamp <= began && began - timestamp <= windowMs && change.test(message),
    )
    .slice(-3)
    .map((event): Finding => {
      const config = /config|flag/i.test(event.message);
      return {
        sign: "recent_change",
        category: config ? "config" : "software",
        role: "symptom",
        strength: 0.35,
        place: places.event(event),
        says: `was changed shortly before the trouble began ("${event.message.slice(0, 80)}")`,
        lines: [citeEvent(event)],
        templates: [event.template_id],
        count: 1,
        firstMs: event.timestamp,
        resolution: ["Roll back the change and see whether the trouble ends"],
      };
    });
}
