import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import { sumUsage } from "../../engine/add-usage.ts";
import type { Section } from "../../contract/view.ts";
import { formatDuration } from "../../text/duration.ts";
import { formatNumber } from "../../text/number-text.ts";
import { type ExportPage, type PagedTurn } from "./export-page.ts";
import { adviseLimits } from "../start/advise-limits.ts";
import { describeSpend } from "../record/spend-of.ts";

/** What the run cost, role by role, and what it was started with. */
export function buildCostSection(page: ExportPage): Section {
  const { run, result, turns } = page;
  const { config, given, seed, cast, budget, parent } = run.manifest;
  const rows = [
    { label: "cost", value: result ? describeSpend(result) : "not ended" },
    ...adviseLimits(turns).map((value) => ({ label: "cut off", value })),
    { label: "time", value: page.elapsedMs === null ? "not ended" : formatDuration(page.elapsedMs) },
    { label: "cast", value: cast },
    { label: "seed", value: String(seed) },
    { label: "budget", value: formatBudget(budget) },
    ...(parent ? [{ label: "branched from", value: `${parent.run}, at ${parent.from}` }] : []),
    ...listReuseFacts(page),
  ];
  return {
    kind: "group",
    title: "Cost and settings",
    id: "cost",
    sections: [
      { kind: "facts", title: "", rows },
      buildRolesTable(turns),
      buildSettingsSection("settings that were given", given),
      buildSettingsSection("the whole configuration", config),
    ],
  };
}

function formatBudget({ calls, tokens, usd, wallMs }: Budget): string {
  const limits = [
    ...(calls === undefined ? [] : [`${formatNumber(calls)} calls`]),
    ...(tokens === undefined ? [] : [`${formatNumber(tokens)} tokens`]),
    ...(usd === undefined ? [] : [`$${usd}`]),
    ...(wallMs === undefined ? [] : [formatDuration(wallMs)]),
  ];
  return limits.join(", ") || "none";
}

/** Settings as they are written in a file, folded away. */
function buildSettingsSection(title: string, settings: unknown): Section {
  const text = Object.keys(settings ?? {}).length === 0 ? "" : stringify(settings);
  return { kind: "group", title, folded: true, sections: [{ kind: "code", title: "", text }] };
}

function listReuseFacts({ result }: ExportPage): { label: string; value: string }[] {
  if (!result || result.promptTokens.total === 0 || result.usage.inputTokens === 0) return [];
  const share = Math.round((100 * result.promptTokens.prefix) / result.promptTokens.total);
  return [{ label: "prompt reuse", value: `${share} % of the prompt tokens repeat a prefix of an earlier prompt` }];
}

function buildRolesTable(turns: readonly PagedTurn[]): Section {
  const figures = ["turns", "calls", "tokens in", "cached", "tokens out", "USD", "time"];
  const groups = Map.groupBy(turns, (turn) => `${turn.key.role}\n${turn.player}`);
  const rows = [...groups].map(([key, group]) => [...key.split("\n"), ...computeFigures(group)]);
  const columns = ["role", "player", ...figures.map((name) => ({ name, numeric: true }))];
  return { kind: "table", title: "", note: "Cost by role", columns, rows };
}

function computeFigures(turns: readonly PagedTurn[]): string[] {
  const { calls, inputTokens, cachedTokens, outputTokens, costUsd } = sumUsage(turns.map((turn) => turn.usage));
  const attempts = turns.flatMap((turn) => turn.attempts);
  const ms = attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0);
  const price = costUsd === null ? "unknown" : costUsd === 0 ? "0" : costUsd.toFixed(4);
  return [
    ...[turns.length, calls, inputTokens, cachedTokens, outputTokens].map(formatNumber),
    price,
    formatDuration(ms),
  ];
}
