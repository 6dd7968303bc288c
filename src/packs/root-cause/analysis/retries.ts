import type { ParsedLog } from "../logs/parsed-log.ts";
import type { CitedLine, Finding } from "./finding.ts";
import { hostIn } from "./host-in.ts";
import { signsIn } from "./signs.ts";

const isRetry = (text: string) => signsIn(text).some(({ id }) => id === "retrying_connect");
/** This many attempts outlast any restart of a process. */
const many = 20;

/** Servers that did not answer dozens of attempts and did not refuse them either: most likely their machine is gone. */
export function retryFindings(log: ParsedLog): Finding[] {
  const templates = log.templates.filter(({ template }) => isRetry(template));
  const byServer = Map.groupBy(templates, ({ template, sample }) => hostIn(sample || template, true) ?? "");
  return [...byServer].flatMap(([server, group]) => {
    const count = group.reduce((sum, template) => sum + template.count, 0);
    if (count < many) return [];
    const ids = new Set(group.map(({ id }) => id));
    const lines = log.events
      .filter(({ template_id }) => ids.has(template_id))
      .map(
        ({ line, file, raw, timestamp }): CitedLine => ({
          line,
          file,
          quote: (raw.split("\n")[0] ?? raw).trim(),
          timestamp,
        }),
      );
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
