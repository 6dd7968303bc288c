import { stringify } from "yaml";
import type { Usage } from "../../contract/usage.ts";
import { sumUsage } from "../../engine/add-usage.ts";
import { costText, durationText, type ExportPage, type PagedTurn } from "./export-page.ts";
import { escapeHtml } from "../../text/html-escape.ts";
import { numberText, valueHtml } from "./html-value.ts";

/** What the run cost, role by role, and what it was started with. */
export function costHtml(page: ExportPage): string {
  const { run, result, turns } = page;
  const { config, given, seed, cast, budget, parent } = run.manifest;
  const facts = {
    cost: result ? costText(result) : "not ended",
    time: page.elapsedMs === null ? "not ended" : durationText(page.elapsedMs),
    cast,
    seed,
    budget,
    ...(parent && { "branched from": `${parent.run}, at ${parent.from}` }),
    ...shareOf(page),
  };
  return `<section aria-labelledby="cost"><h2 id="cost">Cost and settings</h2>${valueHtml(facts)}${rolesHtml(turns)}
${settingsHtml("settings that were given", given)}${settingsHtml("the whole configuration", config)}</section>`;
}

/** Settings as they are written in a file, folded away. */
function settingsHtml(title: string, settings: unknown): string {
  if (Object.keys(settings ?? {}).length === 0) return "";
  return `<details class="folded"><summary>${title}</summary><pre tabindex="0">${escapeHtml(stringify(settings).trimEnd())}</pre></details>`;
}

function shareOf({ result }: ExportPage): Record<string, string> {
  if (!result || result.promptTokens.total === 0 || result.usage.inputTokens === 0) return {};
  const share = Math.round((100 * result.promptTokens.prefix) / result.promptTokens.total);
  return { "prompt reuse": `${share} % of the prompt tokens repeat a prefix of an earlier prompt` };
}

function rolesHtml(turns: readonly PagedTurn[]): string {
  if (turns.length === 0) return "";
  const columns = ["role", "player", "turns", "calls", "tokens in", "cached", "tokens out", "USD", "time"];
  const groups = Map.groupBy(turns, (turn) => `${turn.key.role}\n${turn.player}`);
  const rows = [...groups].map(([key, group]) => {
    const [role = "", player = ""] = key.split("\n");
    const usage = sumUsage(group.map((turn) => turn.usage));
    const attempts = group.flatMap((turn) => turn.attempts);
    const ms = attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0);
    return [role, player, numberText(group.length), ...figures(usage), durationText(ms)];
  });
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`);
  return `<div class="wide" tabindex="0" role="region" aria-label="cost by role"><table class="figures"><thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead><tbody>${cells.join("")}</tbody></table></div>`;
}

function figures({ calls, inputTokens, cachedTokens, outputTokens, costUsd }: Usage): string[] {
  const price = costUsd === null ? "unknown" : costUsd === 0 ? "0" : costUsd.toFixed(4);
  return [numberText(calls), numberText(inputTokens), numberText(cachedTokens), numberText(outputTokens), price];
}
