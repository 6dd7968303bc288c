import { Command } from "commander";
import { differenceText } from "../../contract/json-diff.ts";
import { diffRuns, isSame, type RunDiff, type TurnChange } from "../../runs/diff-runs.ts";
import { readRun } from "../../runs/read-run.ts";
import { ruleChangeText } from "../../runs/redecide.ts";
import type { Io } from "../io.ts";
import { withStoreOption } from "../options.ts";
import { withStore } from "../with-store.ts";

/** `parley diff RUN RUN` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("diff").description(
      "Compares two runs: where they first part, then turn by turn, rule by rule, and their ends.",
    ),
  )
    .argument("<run>", "the one")
    .argument("<other>", "the other")
    .option("--json", "as JSON")
    .action(async (first: string, second: string, options: { store?: string; json?: boolean }) =>
      withStore(io, options, async (store) => {
        const diff = await diffRuns(store, await readRun(store, first), await readRun(store, second));
        io.out(options.json ? `${JSON.stringify(diff, null, 2)}\n` : diffText(diff));
      }),
    );
}

function diffText(diff: RunDiff): string {
  if (isSame(diff)) return "no difference, times and ids aside\n";
  const lines = [`first difference: ${firstOf(diff)}`];
  if (diff.start.length > 0)
    lines.push("", "started with", ...diff.start.slice(0, 20).map((one) => `  ${differenceText(one)}`));
  if (diff.turns.length > 0) lines.push("", "turns", ...diff.turns.flatMap(turnLines));
  if (diff.rules.length > 0) lines.push("", "rules", ...diff.rules.map((change) => `  ${ruleChangeText(change)}`));
  if (diff.end.length > 0) lines.push("", "end", ...diff.end.slice(0, 40).map((one) => `  ${differenceText(one)}`));
  return `${lines.join("\n")}\n`;
}

function firstOf({ start, turns, rules, end }: RunDiff): string {
  const [turn] = turns;
  if (turn) return `turn ${turn.turn} (${turn.change.replaceAll("_", " ")})`;
  const [value] = start.length > 0 ? start : end;
  return rules[0] ? `rule ${rules[0].rule}` : value ? differenceText(value) : "";
}

function turnLines({ turn, change, prompt, reply }: TurnChange): string[] {
  const head = `  ${turn}: ${change.replaceAll("_", " ")}`;
  const parts = prompt === null ? [] : prompt.split("\n").map((line) => `    ${line}`);
  return [head, ...parts, ...reply.slice(0, 8).map((one) => `    ${differenceText(one)}`)];
}
