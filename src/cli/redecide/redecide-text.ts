import { formatDifference } from "../../text/json-diff.ts";
import type { Flip, Redecided } from "../../runs/redecide/redecide.ts";
import { formatRuleChanges } from "../../runs/redecide/compare-rules.ts";

const shownValues = 15;

/** A redecision in words: what a reader acts on first, then why, rule by rule, then the rest. */
export function redecideText(id: string, { config, outcome, headline, decision, rules, settled }: Redecided): string {
  const lines = [`run ${id}, redecided without a call`, ""];
  if (settled) lines.push("A person settled this run; compared is what its rules had said before that.", "");
  lines.push(...formatFlips([{ name: "outcome", ...outcome }, ...headline]));
  lines.push("", "settings", ...listOrNone(config.map(formatDifference), "as they were"));
  lines.push("", "rules that decided otherwise", ...listOrNone(formatRuleChanges(rules), "none"));
  const shown = decision.slice(0, shownValues).map(formatDifference);
  const more = decision.length - shown.length;
  if (more > 0) shown.push(`… and ${more} more values; --json shows all`);
  lines.push("", "what changed in the decision", ...listOrNone(shown, "nothing"));
  return `${lines.join("\n")}\n`;
}

/** Lines of a headline side by side. */
export function formatFlips(flips: readonly Flip[]): string[] {
  const width = Math.max(...flips.map(({ name }) => name.length));
  return flips.map(({ name, before, after }) => {
    const text = before === after ? `${after} (as before)` : `${before} → ${after}`;
    return `${name.padEnd(width)}  ${text}`;
  });
}

function listOrNone(lines: string[], none: string): string[] {
  return (lines.length > 0 ? lines : [none]).map((line) => `  ${line}`);
}
