import { Command } from "commander";
import { formatDifference } from "../../text/json-diff.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { diffRuns, isSame, type RunDiff, type TurnChange } from "../../runs/redecide/diff-runs.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { formatRuleChanges } from "../../runs/redecide/compare-rules.ts";
import type { Io } from "../terminal/io.ts";
import { withRunsOptions } from "../setting/options.ts";
import { formatFlips } from "../redecide/redecide-text.ts";
import { withStore } from "../setting/with-store.ts";

/** `parley diff RUN RUN` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("diff").description(
      "Compares two runs: where they first part, then turn by turn, rule by rule, and their ends.",
    ),
  )
    .argument("<run>", "the one")
    .argument("<other>", "the other")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  parley diff 2b9x1k 2b9x4t")
    .action(async (first: string, second: string, options: { store?: string; json?: boolean }) =>
      withStore(io, options, async (store) => {
        const [one, other] = [await readRun(store, first), await readRun(store, second)];
        const diff = await diffRuns(store, await loadPackOf(one.run.manifest), one, other);
        io.out(options.json ? `${JSON.stringify(diff, null, 2)}\n` : describeDiff(diff));
      }),
    );
}

function describeDiff(diff: RunDiff): string {
  if (isSame(diff)) return "no difference, times and ids aside\n";
  const lines = [`first difference: ${describeFirst(diff)}`];
  if (diff.headline.length > 0) lines.push("", ...formatFlips(diff.headline));
  if (diff.start.length > 0)
    lines.push("", "started with", ...diff.start.slice(0, 20).map((one) => `  ${formatDifference(one)}`));
  if (diff.turns.length > 0) lines.push("", "turns", ...diff.turns.flatMap(describeTurn));
  if (diff.rules.length > 0) lines.push("", "rules", ...formatRuleChanges(diff.rules).map((line) => `  ${line}`));
  if (diff.end.length > 0) lines.push("", "end", ...diff.end.slice(0, 20).map((one) => `  ${formatDifference(one)}`));
  if (diff.end.length > 20) lines.push(`  … and ${diff.end.length - 20} more values; --json shows all`);
  return `${lines.join("\n")}\n`;
}

function describeFirst({ start, turns, rules, end }: RunDiff): string {
  const [turn] = turns;
  if (turn) return `turn ${turn.turn} (${turn.change.replaceAll("_", " ")})`;
  const [value] = start.length > 0 ? start : end;
  const [rule] = rules;
  if (rule) return `rule ${rule.rule}${rule.about === "" ? "" : ` (${rule.about})`}`;
  return value ? formatDifference(value) : "";
}

function describeTurn({ turn, change, prompt, reply }: TurnChange): string[] {
  const head = `  ${turn}: ${change.replaceAll("_", " ")}`;
  const parts = prompt === null ? [] : prompt.split("\n").map((line) => `    ${line}`);
  return [head, ...parts, ...reply.slice(0, 8).map((one) => `    ${formatDifference(one)}`)];
}
