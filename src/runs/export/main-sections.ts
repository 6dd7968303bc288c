import { stringify } from "yaml";
import type { Budget } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { fillIn, frameOf, type FrameWords } from "../../contract/frame-words.ts";
import type { PromptLanguage } from "../../contract/prompt.ts";
import type { Section } from "../../contract/view.ts";
import { sumUsage } from "../../engine/budget.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { formatDuration, formatNumber } from "../../text/format.ts";
import { explainRun, limitRuns, makeSaidSections } from "../why.ts";
import { describeSpend, type StoredRun } from "../read-run.ts";
import { findLanguage, finishedOf } from "../show-run.ts";
import {
  explainNoChange,
  explainUntried,
  findWhatWouldChange,
  formatLever,
  type Lever,
  type WhatWouldChange,
} from "../what-would-change.ts";
import { adviseLimits } from "../start.ts";
import type { ExportPage, PagedTurn, Weighing } from "./export-page.ts";

/** How many of a pack's sections say what was decided; what would change it comes after them. */
const leading = 2;

/**
 * What a run's documents show before the debate: the pack's sections, and among them, in their language, what would
 * change the decision and what it hangs on.
 */
export function pickMainSections({
  sections,
  change,
  why,
  language,
}: Pick<ExportPage, "sections" | "change" | "why" | "language">): Section[] {
  const levers = change === null ? [] : [changeSection(change, words[language])];
  return [...sections.slice(0, leading), ...levers, ...why, ...sections.slice(leading)];
}

type Words = {
  title: string;
  note: string;
  columns: [setting: string, flips: string];
  none(change: WhatWouldChange): string;
  /** Which settings were not tried in full; nothing when all were. */
  untried(change: WhatWouldChange): string;
  directions: Record<NonNullable<Lever["direction"]>, string>;
};

const words: Record<PromptLanguage, Words> = {
  en: {
    title: "What would change it",
    note: "Over the same recorded turns, one setting at a time.",
    columns: ["setting", "what would change"],
    none: explainNoChange,
    untried: explainUntried,
    directions: { "or more": "or more", "or less": "or less" },
  },
  id: {
    title: "Yang akan mengubahnya",
    note: "Atas giliran yang sama, satu setelan setiap kali.",
    columns: ["setelan", "yang berubah"],
    untried: sayUntriedInIndonesian,
    none: ({ tried, untried }) =>
      tried === 0 || untried.length > 0
        ? `Tidak ada setelan yang dicoba atas giliran yang tercatat yang mengubahnya. ${sayUntriedInIndonesian({ untried })}`.trim()
        : `Tidak satu pun dari ${tried} setelan yang dapat dijawab giliran yang tercatat: hanya giliran lain yang dapat.`,
    directions: { "or more": "atau lebih", "or less": "atau kurang" },
  },
  ko: {
    title: "무엇이 결정을 바꾸는가",
    note: "기록된 같은 차례에서 설정을 하나씩 바꿨을 때.",
    columns: ["설정", "바뀌는 것"],
    untried: sayUntriedInKorean,
    none: ({ tried, untried }) =>
      tried === 0 || untried.length > 0
        ? `기록된 차례로 시험한 설정 중 바꾸는 것이 없습니다. ${sayUntriedInKorean({ untried })}`.trim()
        : `기록된 차례로 답할 수 있는 설정 ${tried}개 중 어느 것도 바꾸지 않습니다. 다른 차례만이 바꿀 수 있습니다.`,
    directions: { "or more": "이상", "or less": "이하" },
  },
};

type Untried = Pick<WhatWouldChange, "untried">;

function sayUntriedInIndonesian({ untried }: Untried): string {
  return untried.length === 0 ? "" : `Debat ini terlalu panjang untuk mencoba semua nilai dari ${untried.join(", ")}.`;
}

function sayUntriedInKorean({ untried }: Untried): string {
  return untried.length === 0 ? "" : `토론이 길어 다음 설정은 모든 값을 시험하지 못했습니다: ${untried.join(", ")}.`;
}

/** Which single setting would flip the decision over the same turns. */
function changeSection(change: WhatWouldChange, said: Words): Section {
  const { title, note, columns, none, untried, directions } = said;
  const head = { title, id: "change" };
  if (change.levers.length === 0)
    return {
      ...head,
      kind: "text",
      text: none(change),
    };
  const write = (lever: Lever): string => {
    const direction = lever.direction === null ? "" : ` ${directions[lever.direction]}`;
    return `${formatLever({ ...lever, direction: null })}${direction}`;
  };
  return {
    ...head,
    kind: "table",
    note: [note, untried(change)].filter(Boolean).join(" "),
    columns: [...columns],
    rows: change.levers.map((lever) => [
      write(lever),
      lever.flips.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join("; "),
    ]),
  };
}

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

/** What a decision hangs on, found within a bound; a run that cannot be decided again says so in its place. */
export async function weighRun(pack: AnyPack, stored: StoredRun): Promise<Weighing> {
  try {
    const why = await explainRun(pack, stored, limitRuns(stored));
    return { change: why.change, why: nameSections(makeSaidSections(why, findLanguage(pack, finishedOf(stored)))) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const text = `This cannot be told: ${error.message}.`;
    const why: Section[] = [
      { kind: "text", title: frameOf(findLanguage(pack, finishedOf(stored))).why.question, id: "hangs-on", text },
    ];
    return { change: await findWhatWouldChange(pack, stored), why };
  }
}

/** The first has an address of its own; the rest belong to it. */
function nameSections([first, ...rest]: Section[]): Section[] {
  return first ? [{ ...first, id: "hangs-on" }, ...rest] : [];
}
