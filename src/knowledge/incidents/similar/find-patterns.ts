import * as z from "zod";
import type { LogEvent, ParsedLog } from "../../logs/index.ts";
import type { Matcher } from "../compare/create-matcher.ts";
import { extractWords } from "../compare/extract-words.ts";

/** A sequence of templates that comes before errors again and again, and which incidents know its parts. */
export const PatternSchema = z.strictObject({
  pattern: z.array(z.string()).min(2),
  frequency: z.int().min(2),
  lines: z.array(z.int().positive()).default([]),
  incident_ids: z.array(z.string()).default([]),
});
export type Pattern = z.infer<typeof PatternSchema>;

const lookBack = 3;

/** Template sequences (two or three long, the last one an error) that were seen at least twice (root-cause spec §3.2). */
export function findPatterns(log: ParsedLog, matcher: Matcher, hide: readonly string[] = []): Pattern[] {
  const texts = new Map(log.templates.map(({ id, template }) => [id, template]));
  const found = new Map<string, { ids: string[]; lines: number[] }>();
  for (const sequence of listSequences(log.events)) {
    const ids = sequence.map((event) => event.template_id);
    const entry = found.get(ids.join(" ")) ?? { ids, lines: [] };
    entry.lines.push(sequence.at(-1)?.line ?? 1);
    found.set(ids.join(" "), entry);
  }
  const knows = (text: string) => {
    const observed = { text, words: extractWords(text, hide), salient: true };
    return [...matcher.findByTemplate(observed)].map(({ id }) => id);
  };
  return [...found.values()]
    .filter(({ lines }) => lines.length >= 2)
    .map(({ ids, lines }) => ({
      pattern: ids.map((id) => texts.get(id) ?? id),
      frequency: lines.length,
      lines: lines.slice(0, 5),
    }))
    .sort(
      (a, b) =>
        b.frequency - a.frequency || b.pattern.length - a.pattern.length || (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
    )
    .slice(0, 20)
    .map((pattern) => ({ ...pattern, incident_ids: [...new Set(pattern.pattern.flatMap(knows))].slice(0, 5) }));
}

function* listSequences(events: readonly LogEvent[]): Generator<LogEvent[]> {
  for (const [index, error] of events.entries()) {
    if (error.level !== "ERROR" && error.level !== "FATAL") continue;
    const before: LogEvent[] = [];
    for (let back = index - 1; back >= 0 && before.length < lookBack - 1; back -= 1) {
      const event = events[back];
      if (!event || event.file !== error.file) break;
      const repeats = event.template_id === (before[0] ?? error).template_id;
      if (!repeats) before.unshift(event);
    }
    for (let size = 1; size <= before.length; size += 1) yield [...before.slice(-size), error];
  }
}
