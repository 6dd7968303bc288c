import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import { sumUsage } from "../../engine/budget.ts";
import type { Section } from "../../contract/view.ts";
import { formatDuration } from "../../text/duration.ts";
import { formatNumber } from "../../text/number-text.ts";
import { type ExportPage, type PagedTurn } from "./export-page.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import { adviseLimits } from "../start/advise-limits.ts";
import { describeSpend } from "../record/spend-of.ts";

type CostWords = FrameWords["cost"];

/** What the run cost, role by role, and what it was started with. */
export function buildCostSection(page: ExportPage): Section {
  const { run, result, turns } = page;
  const { cost: words, cast: castWord, seed: seedWord, spend } = frameOf(page.language);
  const { config, given, seed, cast, budget, parent } = run.manifest;
  const rows = [
    { label: words.cost, value: result ? describeSpend(result, spend) : words.notEnded },
    ...adviseLimits(turns).map((value) => ({ label: words.cutOff, value })),
    { label: words.time, value: page.elapsedMs === null ? words.notEnded : formatDuration(page.elapsedMs) },
    { label: castWord, value: cast },
    { label: seedWord, value: String(seed) },
    { label: words.budget, value: formatBudget(budget, words) },
    ...(parent ? [{ label: words.branched, value: `${parent.run}, ${words.at} ${parent.from}` }] : []),
    ...listReuseFacts(page, words),
  ];
  return {
    kind: "group",
    title: words.title,
    id: "cost",
    sections: [
      { kind: "facts", title: "", rows },
      buildRolesTable(turns, words),
      buildSettingsSection(words.given, given),
      buildSettingsSection(words.whole, config),
    ],
  };
}

function formatBudget({ calls, tokens, usd, wallMs }: Budget, words: CostWords): string {
  const limits = [
    ...(calls === undefined ? [] : [`${formatNumber(calls)} ${words.calls}`]),
    ...(tokens === undefined ? [] : [`${formatNumber(tokens)} ${words.tokens}`]),
    ...(usd === undefined ? [] : [`$${usd}`]),
    ...(wallMs === undefined ? [] : [formatDuration(wallMs)]),
  ];
  return limits.join(", ") || words.none;
}

/** Settings as they are written in a file, folded away. */
function buildSettingsSection(title: string, settings: unknown): Section {
  const text = Object.keys(settings ?? {}).length === 0 ? "" : stringify(settings);
  return { kind: "group", title, folded: true, sections: [{ kind: "code", title: "", text }] };
}

function listReuseFacts({ result }: ExportPage, words: CostWords): { label: string; value: string }[] {
  if (!result || result.promptTokens.total === 0 || result.usage.inputTokens === 0) return [];
  const share = Math.round((100 * result.promptTokens.prefix) / result.promptTokens.total);
  return [{ label: words.reuse, value: fillIn(words.reused, { share }) }];
}

function buildRolesTable(turns: readonly PagedTurn[], words: CostWords): Section {
  const groups = Map.groupBy(turns, (turn) => `${turn.key.role}\n${turn.player}`);
  const rows = [...groups].map(([key, group]) => [...key.split("\n"), ...computeFigures(group, words)]);
  const columns = [words.role, words.player, ...words.figures.map((name) => ({ name, numeric: true }))];
  return { kind: "table", title: "", note: words.byRole, columns, rows };
}

function computeFigures(turns: readonly PagedTurn[], words: CostWords): string[] {
  const { calls, inputTokens, cachedTokens, outputTokens, costUsd } = sumUsage(turns.map((turn) => turn.usage));
  const attempts = turns.flatMap((turn) => turn.attempts);
  const ms = attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0);
  const price = costUsd === null ? words.unknown : costUsd === 0 ? "0" : costUsd.toFixed(4);
  return [
    ...[turns.length, calls, inputTokens, cachedTokens, outputTokens].map(formatNumber),
    price,
    formatDuration(ms),
  ];
}
