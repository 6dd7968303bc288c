import { hasCode, ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { loadPackOf, requirePackName } from "../../packs/registry.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { type Flip, isFlip, redecide } from "../../runs/redecide/redecide.ts";
import { subjectOf } from "../../runs/record/show-run.ts";
import type { Store } from "../../store/store.ts";
import { cutText } from "../../text/short-text.ts";
import { pauseBetweenSteps, type Io } from "../terminal/io.ts";
import { sayDamaged } from "../terminal/say-damaged.ts";

/** One run of a folder: what flipped and by which rules, or why it could not be redecided. */
type Row = {
  run: string;
  case: string;
  pack: string;
  flips: Flip[];
  /** How many values of the decision changed, flips and all. */
  changed: number;
  rules: string[];
  needs: string | null;
  error: string | null;
  /** True when the error is only that this pack has no such setting. */
  foreign: boolean;
};

/** Redecides every ended run of a store and says what flips. */
export async function redecideStore(io: Io, store: Store, options: RedecideStoreOptions): Promise<void> {
  if (options.out !== undefined)
    throw new ParleyError("bad_input", "--out is for one run; over a folder use --json > FILE");
  const pack = options.pack === undefined ? undefined : requirePackName(options.pack);
  const runs = (await store.list({ pack, status: "finished" }, sayDamaged(io))).toReversed();
  const rows: Row[] = [];
  for (const run of runs) {
    await pauseBetweenSteps(io);
    rows.push(await redecideRun(store, run, options.set));
  }
  if (rows.length > 0 && rows.every((row) => row.error !== null))
    throw new ParleyError("bad_config", [...new Set(rows.map((row) => row.error))].join("\n"));
  if (options.json) for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
  else io.out(writeTable(rows, io.width));
  if (rows.some((row) => row.needs !== null || (row.error !== null && !row.foreign))) io.exit.code = 1;
}

export type RedecideStoreOptions = { set: string[]; pack?: string; out?: string; json?: boolean };

async function redecideRun(store: Store, run: Run, settings: readonly string[]): Promise<Row> {
  const pack = await loadPackOf(run.manifest);
  const row = { run: run.id, case: run.caseId ?? subjectOf(pack, run), pack: pack.name };
  const none = { flips: [], changed: 0, rules: [], needs: null, error: null, foreign: false };
  try {
    const done = await redecide(pack, await readRun(store, run.id), settings);
    const all = [{ name: "outcome", ...done.outcome }, ...done.headline];
    const flips = isFlip(done) ? all.filter((line) => line.before !== line.after) : [];
    const rules = [...new Set(done.rules.map(({ rule }) => rule))];
    return { ...row, ...none, flips, changed: done.decision.length, rules };
  } catch (error) {
    if (hasCode(error, "not_recorded")) return { ...row, ...none, needs: String(error.details.turn) };
    if (error instanceof ParleyError)
      return { ...row, ...none, error: error.message, foreign: error.code === "bad_config" };
    throw error;
  }
}

function writeTable(rows: Row[], width: number): string {
  const flipped = rows.filter((row) => row.flips.length > 0);
  const needing = rows.filter((row) => row.needs !== null);
  const refused = rows.filter((row) => row.error !== null);
  const lines = flipped.flatMap((row) => [
    `${row.run}  ${cutText(row.case.replaceAll(/\s+/g, " "), width - row.run.length - 2)}`,
    ...row.flips.map(({ name, before, after }) => `  ${name}: ${before} → ${after}`),
    `  by ${row.rules.join(", ") || "no rule of its own: other turns count"}`,
  ]);
  const counts = countFlips(flipped);
  if (counts.length > 0) lines.push("", ...counts);
  if (needing.length > 0)
    lines.push("", "need a turn that was never recorded", ...needing.map((row) => `  ${row.run}  ${row.needs}`));
  for (const [error, group] of Map.groupBy(refused, (row) => row.error))
    lines.push("", `left out, ${group.length} ${group[0]?.pack} runs: ${error}`);
  const otherwise = rows.filter((row) => row.flips.length === 0 && row.changed > 0).length;
  const parts = [
    `${flipped.length} of ${rows.length} runs flip`,
    ...(otherwise > 0 ? [`${otherwise} change in reasons or numbers only`] : []),
    ...(needing.length > 0 ? [`${needing.length} need a new turn`] : []),
    ...(refused.length > 0 ? [`${refused.length} left out`] : []),
  ];
  return `${[...lines, ...(lines.length > 0 ? [""] : []), parts.join(" · ")].join("\n").trimStart()}\n`;
}

/** Which flips are how frequent. */
function countFlips(rows: Row[]): string[] {
  const texts = rows.flatMap((row) => row.flips.map(({ name, before, after }) => `${name}: ${before} → ${after}`));
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => ({ text, count: same.length }));
  const frequent = counts.filter(({ count }) => count > 1).toSorted((a, b) => b.count - a.count);
  return frequent.slice(0, 10).map(({ text, count }) => `${String(count).padStart(5)} ×  ${text}`);
}
