import type { ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import { findHost } from "../clues/find-host.ts";
import { matchSigns } from "../clues/match-signs.ts";

const isRetry = (text: string) => matchSigns(text).some(({ id }) => id === "retrying_connect");
/** This many attempts outlast any restart of a process. */
const many = 20;

/** Servers that did not answer dozens of attempts and did not refuse them either: most likely their machine is gone. */
export function findRetries(log: ParsedLog): Finding[] {
  const templates = log.templates.filter(({ template }) => isRetry(template));
  const byServer = Map.groupBy(templates, ({ template, sample }) => findHost(sample || template, true) ?? "");
  return [...byServer].flatMap(([server, group]) => {
    const count = group.reduce((sum, template) => sum + template.count, 0);
    if (count < many) return [];
    const ids = new Set(group.map(({ id }) => id));
    const lines = log.events.filter(({ template_id }) => ids.has(template_id)).map(citeEvent);
    const firsts = group.flatMap(({ first_seen }) => first_seen ?? []);
    return [
      {
        sign: "server_gone",
        category: "hardware" as const,
        role: "cause" as const,
        strength: 0.6 * (1 - Math.exp(-count / many)),
        place: server || null,
        says: `did not answer ${count} connection attempts`,
        lines: [...lines.slice(0, 2), ...lines.slice(2).slice(-1)],
        templates: [...ids],
        count,
        firstMs: firsts.length > 0 ? Math.min(...firsts) : null,
        resolution: ["Check whether the machine of the server is up, then its process and the way to it"],
      },
    ];
  });
}
