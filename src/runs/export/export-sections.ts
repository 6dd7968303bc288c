import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import { fillIn, type FrameWords, frameOf } from "../../contract/frame-words.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Point, ToldTurn } from "../../contract/story.ts";
import { describeProblem, describeToolCall, type Turn, turnIdOf } from "../../contract/turn.ts";
import type { Section } from "../../contract/view.ts";
import { sumUsage } from "../../engine/budget.ts";
import { formatDuration, formatNumber } from "../../text/format.ts";
import { describeSpend } from "../read-run.ts";
import { adviseLimits } from "../start.ts";
import type { ExportPage } from "./export-run.ts";

/** How many of a pack's sections say what was decided; what the decision hangs on comes after them. */
const leading = 2;

export function pickMainSections({ sections, why }: Pick<ExportPage, "sections" | "why">): Section[] {
  return [...sections.slice(0, leading), ...why, ...sections.slice(leading)];
}

/** The debate as the pack tells it, stage by stage; a turn that it leaves out is shown as it was said. */
export function buildDebateSection({ turns, story, language }: ExportPage): Section {
  const words = frameOf(language);
  const items = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  const sections = story.stages.map(
    ({ title, turns: told }): Section => ({
      kind: "group",
      title: `${title}, ${fillIn(words.turns, { turns: told.length })}`,
      folded: true,
      sections: told.map((one) => buildTurnSection(one, items.get(one.turn), words)),
    }),
  );
  return { kind: "group", title: words.debate, sections };
}

function buildTurnSection(told: ToldTurn, turn: Turn | undefined, words: FrameWords): Section {
  const { speaker, does, says, points } = told;
  const isTold = says !== "" || points.length > 0 || turn?.status === "abstained";
  const lines = points.map((point) => describePoint(point, words));
  const by = turn ? [namePlayer(turn.player, words), words.statuses[turn.status]] : [];
  return {
    kind: "group",
    title: [`${speaker} ${does}`, ...by].join(" · "),
    sections: [
      { kind: "text", title: "", text: turn?.status === "abstained" ? words.noReply : says },
      { kind: "lines", title: "", lines },
      ...(isTold || !turn ? [] : [{ kind: "code", title: "", text: JSON.stringify(turn.reply, null, 2) } as const]),
      { kind: "list", title: "", items: turn ? listTroubles(turn, words) : [] },
    ],
  };
}

function describePoint({ name, text, tags = [], standing, status, change, repeats }: Point, { page }: FrameWords) {
  const about = [...tags, ...(standing ? [status ?? page.standings[standing]] : [])];
  const said = repeats ? page.kept : change ? `${change.before} → ${change.after}` : text;
  return { ref: about.length > 0 ? `${name} (${about.join(" · ")})` : name, text: said };
}

function namePlayer(player: string, { page }: FrameWords): string {
  if (/^expert\b/.test(player)) return page.program;
  return player.replace(/^person\/(.*)$/, `${page.person} ($1)`).replace(/^person$/, page.person);
}

function listTroubles({ attempts }: Turn, { page }: FrameWords): string[] {
  return attempts.flatMap(({ problems, mends = [], tools = [], overruled }) => [
    ...(overruled ? [fillIn(page.letStand, { name: overruled.by, why: overruled.why })] : []),
    ...problems.map((problem) => `⚠ ${problem.code}: ${describeProblem(problem)}`),
    ...mends.map((mend) => `${page.mended}: ${mend}`),
    ...tools.map((tool) => `${page.calledTool}: ${describeToolCall(tool)}`),
  ]);
}

export function buildRulesSection({ result, language }: ExportPage): Section {
  const words = frameOf(language);
  const steps = (result?.notes ?? []).map(({ type, round, data }) => ({
    label: words.notes[type] ?? type.replaceAll("_", " "),
    outcome: round > 0 ? fillIn(words.round, { round }) : "",
    detail: gist(data),
  }));
  return { kind: "steps", title: words.rules, id: "rules", steps };
}

const longestGist = 400;

function gist(data: unknown): string {
  if (data === null || typeof data !== "object") return String(data);
  const parts = Object.entries(data).flatMap(([key, value]) => {
    const text = gistOf(value);
    return text === null || /_id$|hash$/.test(key) ? [] : [`${key.replaceAll("_", " ")} ${text}`];
  });
  const line = parts.join(" · ");
  return line.length > longestGist ? `${line.slice(0, longestGist - 1)}…` : line;
}

function gistOf(value: unknown): string | null {
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? null : `${value.length}`;
  if (typeof value !== "string" || value === "") return null;
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

export function formatQuorum({ quorum }: DebateResult, words: FrameWords): string {
  const { asked, answered, repaired, abstained } = quorum;
  return [
    fillIn(words.answered, { answered, asked }),
    ...(repaired > 0 ? [fillIn(words.repaired, { turns: repaired })] : []),
    ...(abstained > 0 ? [fillIn(words.abstained, { turns: abstained })] : []),
  ].join(", ");
}

type CostWords = FrameWords["cost"];

export function buildCostSection({ run, result, turns, language, elapsedMs }: ExportPage): Section {
  const { cost: words, cast: castWord, seed: seedWord, spend } = frameOf(language);
  const { config, given, seed, cast, budget, parent } = run.manifest;
  const { promptTokens } = result ?? {};
  const isReused = promptTokens && promptTokens.total > 0 && (result?.usage.inputTokens ?? 0) > 0;
  const share = isReused ? Math.round((100 * promptTokens.prefix) / promptTokens.total) : 0;
  const rows = [
    { label: words.cost, value: result ? describeSpend(result, spend) : words.notEnded },
    ...adviseLimits(turns).map((value) => ({ label: words.cutOff, value })),
    { label: words.time, value: elapsedMs === null ? words.notEnded : formatDuration(elapsedMs) },
    { label: castWord, value: cast },
    { label: seedWord, value: String(seed) },
    { label: words.budget, value: formatBudget(budget, words) },
    ...(parent ? [{ label: words.branched, value: `${parent.run}, ${words.at} ${parent.from}` }] : []),
    ...(isReused ? [{ label: words.reuse, value: fillIn(words.reused, { share }) }] : []),
  ];
  return {
    kind: "group",
    title: words.title,
    id: "cost",
    folded: true,
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

function buildSettingsSection(title: string, settings: unknown): Section {
  const text = Object.keys(settings ?? {}).length === 0 ? "" : stringify(settings);
  return { kind: "group", title, folded: true, sections: [{ kind: "code", title: "", text }] };
}

function buildRolesTable(turns: readonly Turn[], words: CostWords): Section {
  const groups = Map.groupBy(turns, (turn) => `${turn.key.role}\n${turn.player}`);
  const rows = [...groups].map(([key, group]) => [...key.split("\n"), ...computeFigures(group, words)]);
  const columns = [words.role, words.player, ...words.figures.map((name) => ({ name, numeric: true }))];
  return { kind: "table", title: "", note: words.byRole, columns, rows };
}

function computeFigures(turns: readonly Turn[], words: CostWords): string[] {
  const { calls, inputTokens, cachedTokens, outputTokens, costUsd } = sumUsage(turns.map((turn) => turn.usage));
  const ms = turns.flatMap(({ attempts }) => attempts).reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [
    ...[turns.length, calls, inputTokens, cachedTokens, outputTokens].map(formatNumber),
    costUsd === null ? words.unknown : costUsd === 0 ? "0" : costUsd.toFixed(4),
    formatDuration(ms),
  ];
}
