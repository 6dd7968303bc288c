import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { requireBudget } from "../guard/owner-budget.ts";
import { requireCast } from "../setting/require-cast.ts";

/** What the owner lets MCP clients do. */
export type McpRules = {
  casts: readonly string[];
  /** The most that one run may use. */
  budget: Budget;
  /** The runs that clients started here: with `null` they may look at every run of the store. */
  ownRuns: Set<string> | null;
};

/** The cast and the budget of a call, when the owner allows them: a limit may be lowered, never raised. */
export function applyRules(
  rules: McpRules,
  asked: { cast?: string; budget?: Budget },
): { cast: string; budget: Budget } {
  return {
    cast: requireCast(rules.casts, asked.cast),
    budget: { ...rules.budget, ...requireBudget(rules.budget, asked.budget) },
  };
}

/** The id of a run that clients may look at, from its beginning; of others nothing is said, not even that they are there. */
export function requireOwnRun({ ownRuns }: McpRules, given: string): string {
  if (ownRuns === null || ownRuns.has(given)) return given;
  const found = [...ownRuns].filter((run) => given !== "" && run.startsWith(given));
  if (found.length === 1) return found[0] as string;
  const said = `"${given.slice(0, 40)}"`;
  if (found.length > 1)
    throw new ParleyError("unknown_run", `more than one run begins with ${said}; give more of its id`);
  throw new ParleyError(
    "unknown_run",
    `no run ${said} was started here; others are shown when the owner allows it (--all-runs, or --mcp-all-runs of a server)`,
  );
}
