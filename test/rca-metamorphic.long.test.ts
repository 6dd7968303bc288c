import { expect, it } from "vitest";
import { playArm } from "../bench/rca/arms.ts";
import { namesCause, readIncidentCases, readRawLines, type Truth } from "../bench/rca/incident-cases.ts";
import { parseLines, type ParsedLog } from "../src/knowledge/logs/index.ts";

const sets = [
  ".",
  "more",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
  "thirteenth",
  "fourteenth",
  "openstack",
];

/** Logs whose other lines state a cause by themselves: a node that is down, a login that is rejected, a time that grows. */
const stated = [
  "s01-rabbitmq-partition.log",
  "a08-mongodb-backup-lock.jsonl",
  "e05-flink-state.log",
  "case01.log",
  "case09.log",
];

it.each(sets)(
  "without its causal lines no incident of the set %s is told another cause for sure",
  async (under) => {
    const wrong: string[] = [];
    for (const { truth } of await readIncidentCases(under)) {
      const lines = truth.category === "none" ? null : readRawLines(under, truth.file);
      if (lines === null || stated.includes(truth.file)) continue;
      const log = await parseLines(lines, { name: truth.file });
      const known = await decide(log);
      if (!known || !namesCause(known.hypothesis, truth)) continue;
      const rest = dropCited(lines, log, known.evidence);
      const left = rest.length < 5 ? null : await decide(await parseLines(rest, { name: truth.file }));
      if (left && left.certainty !== "inconclusive" && isOther(left, truth))
        wrong.push(`${truth.file}: ${left.hypothesis}`);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);

type Final = NonNullable<Awaited<ReturnType<typeof decide>>>;

async function decide(log: ParsedLog) {
  return (await playArm("debate", log, [], {})).decision?.final_hypothesis ?? null;
}

/** Neither named by the key, nor of its kind; "no fault" names none. */
function isOther({ hypothesis, category }: Final, truth: Truth): boolean {
  return category !== "none" && category !== truth.category && !namesCause(hypothesis, truth);
}

/** The lines without those that are cited, and without all of their templates. */
function dropCited(lines: readonly string[], { events, templates }: ParsedLog, evidence: Final["evidence"]): string[] {
  const cited = new Set(evidence.flatMap(({ kind, ref }) => (kind === "log" ? [Number(ref)] : [])));
  const ids = new Set(
    events
      .filter(({ line, last_line = line }) => [...cited].some((at) => at >= line && at <= last_line))
      .map(({ template_id }) => template_id),
  );
  const shapes = templates
    .filter(({ id, template }) => ids.has(id) && template.length > 6)
    .map(({ template }) => new RegExp(template.split("<*>").map(escape).join(".*")));
  return lines.filter((line, index) => !cited.has(index + 1) && !shapes.some((shape) => shape.test(line)));
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
}
