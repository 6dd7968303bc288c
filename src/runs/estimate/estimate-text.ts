import type { Budget, WorstCase } from "../../contract/budget.ts";
import { formatUsd } from "../../text/number-text.ts";
import { formatTable } from "../../text/text-table.ts";
import { type Estimate, sumEstimates } from "./estimate-run.ts";

/** A row of an estimate: what it is about, and who is called. */
export type EstimateRow = Estimate & { name: string; player: string };

/** An estimate for a terminal: a row per role or arm, all of them together, what the figures mean, and what a budget would stop. */
export function formatEstimate(rows: readonly EstimateRow[], budget: Budget, notes: readonly string[]): string {
  if (rows.length === 0) return "Dry run: no model would be called, so it is free.\n";
  const all = { ...sumEstimates(rows), name: "all", player: "" };
  const head = ["", "player", "calls", "tokens", "cost", "likely"];
  const lines = formatTable([head, ...[...rows, all].map(formatRow)], new Set([2, 3, 4, 5]));
  return `${["Dry run: nothing was called.", "", ...lines, "", meaning, ...notes, ...listBudgetNotes(all, budget)].join("\n")}\n`;
}

const meaning =
  "From: the turns that the built-in programs take, replies twice as long as theirs; what a model reasons comes on top.\n" +
  "Likely: the same turns with replies as long as models write them, and a repair of every tenth.\n" +
  "To: as many rounds as the settings allow, a repair of every turn, every reply at its output limit, a token for every byte sent.";

function formatRow({ name, player, expected, likely, most }: EstimateRow): string[] {
  const range = (of: (cost: WorstCase) => string): string => `${of(expected)} – ${of(most)}`;
  const cost = expected.usd === null || most.usd === null ? "price unknown" : range(({ usd }) => formatUsd(usd));
  return [
    name,
    player,
    range(({ calls }) => String(calls)),
    range(({ tokens }) => tokens.toLocaleString("en")),
    cost,
    formatUsd(likely.usd),
  ];
}

/** What a budget would stop of an estimate, in sentences. */
export function listBudgetNotes({ most, expected }: Estimate, budget: Budget): string[] {
  return (["calls", "tokens", "usd"] as const).flatMap((limit) => {
    const max = budget[limit];
    if (max === undefined || (most[limit] ?? 0) <= max) return [];
    const often = (expected[limit] ?? 0) > max ? "would stop it" : "could stop it";
    return [`The budget of ${limit}=${max} ${often}.`];
  });
}
