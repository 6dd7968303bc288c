import type { Cell, Section, Tone } from "../../contract/view.ts";
import { sumWorstCases } from "../../engine/budget.ts";
import {
  countText,
  formatCount,
  formatP,
  formatPoints,
  formatRange,
  formatShortCount,
  formatUsd,
  isShare,
  valueText,
} from "../../text/format.ts";
import { buildPanelSections, makeTable, numeric } from "../panel/panel-sections.ts";
import type { Scorecard, StudyManifest } from "../results/results.ts";
import type { Interval } from "../statistics/statistics.ts";
import { type ArmSummary, type StudySummary, summariseStudy } from "../summary/summarise-study.ts";
import type { Comparison, Verdict } from "../summary/verdict.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { placeIn, replaceFile } from "../../store/replace-file.ts";
import { frameOf } from "../../contract/frame-words.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { version } from "../../runs/read-run.ts";
import { escapeMarkdown } from "../../text/layout.ts";

export function buildStudySections(summary: StudySummary, cards: readonly Scorecard[]): Section[] {
  return [
    ...buildOverviewSections(summary),
    buildCostChart(summary),
    ...buildFlipsSection(summary),
    ...buildPanelsSection(summary),
    ...buildMetricsSection(summary),
    buildMethodSection(summary),
    { kind: "group", title: "Runs", id: "runs", folded: true, sections: [buildRunsTable(cards)] },
  ];
}

const mostRuns = 100;

function buildRunsTable(cards: readonly Scorecard[]): Section {
  const more = cards.length > mostRuns ? ` ${cards.length - mostRuns} more runs are in results.jsonl.` : "";
  const note = `\`parley show RUN\` shows one.${more}`;
  return makeTable({ title: "", note }, cards.slice(0, mostRuns), [
    ["run", ({ run_id: run }) => (run === null ? "–" : { text: run, run })],
    ["arm", ({ arm }) => arm],
    ["case", ({ case_id }) => case_id],
    [numeric("seed"), ({ seed }) => String(seed)],
    ["outcome", ({ outcome }) => outcome.replaceAll("_", " ")],
    [numeric("score"), ({ primary }) => valueText(primary)],
    ["right", ({ right }) => (right === null ? "" : { text: right ? "right" : "wrong", tone: right ? "good" : "bad" })],
  ]);
}

export function buildOverviewSections(summary: StudySummary): Section[] {
  const { headline, sentences, answer } = summary.verdict;
  return [
    {
      kind: "verdict",
      title: "Was the debate worth it?",
      id: "verdict",
      answer: headline,
      tone: tones[answer],
      points: sentences,
    },
    buildArmsTable(summary),
    ...buildNotices(summary),
  ];
}

export const tones: Record<Verdict["answer"], Tone> = {
  yes: "good",
  no: "bad",
  not_shown: "warn",
  cannot_say: "neutral",
};

function buildArmsTable({ arms, manifest, comparisons }: StudySummary): Section {
  const found = ({ arm }: ArmSummary): Comparison | undefined => comparisons.find((one) => one.arm === arm.name);
  const write = (one: ArmSummary, cell: (comparison: Comparison) => Cell): Cell => {
    const comparison = found(one);
    return comparison ? cell(comparison) : "";
  };
  return makeTable<ArmSummary>({ title: "The arms", id: "arms" }, arms, [
    ["arm", ({ arm }) => arm.name],
    ["kind", ({ arm }) => arm.kind],
    [numeric(manifest.primary), ({ primary }) => valueText(primary?.estimate)],
    [numeric("95% interval"), ({ primary }) => (primary ? formatRange(primary) : "–")],
    [
      numeric("right", "cases whose primary metric is 1"),
      ({ right }) => (right ? `${countText(right.estimate * right.cases)}/${countText(right.cases)}` : "–"),
    ],
    [
      numeric(`to ${arms[0]?.arm.name ?? ""}`, "points, over the cases that both arms finished"),
      (one) => write(one, ({ difference }) => formatPoints(-difference.estimate)),
    ],
    ["", (one) => write(one, ({ advantage }) => standings[advantage])],
    [
      numeric("p (Holm)", "exact where cases are right or wrong; corrected for the number of arms"),
      (one) => write(one, ({ holm }) => formatP(holm)),
    ],
    [numeric("cost per run"), describeCost],
    ...(arms.some((one) => countFailed(one) > 0)
      ? [[numeric("failed"), (one: ArmSummary) => countText(countFailed(one))] as const]
      : []),
  ]);
}

const standings: Record<Comparison["advantage"], Cell> = {
  better: { text: "worse", tone: "bad" },
  worse: { text: "better", tone: "good" },
  same: "same",
  unclear: "unclear",
  too_few: "too few",
  open: { text: "open", tone: "warn" },
};

function countFailed({ failures }: ArmSummary): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

function describeCost({ spend, usage, runs }: ArmSummary): string {
  const per = (value: number): number => value / Math.max(1, runs);
  if (spend.tokens === 0) return `${per(usage.calls).toFixed(1)} turns`;
  const price = spend.usd === null ? "price unknown" : formatUsd(per(spend.usd));
  return `${formatShortCount(per(spend.tokens))} tokens, ${price}`;
}

function buildNotices({ missing, manifest, arms }: StudySummary): Section[] {
  const { dataset } = manifest;
  const withoutGold = dataset.cases - dataset.with_gold;
  const again = arms.filter((one) => one.callsSaved > 0);
  const saved = again.reduce((sum, one) => sum + one.callsSaved, 0);
  const when = (holds: boolean, text: string): string[] => (holds ? [text] : []);
  const names = again.map(({ arm }) => arm.name).join(", ");
  const lacking = `${formatCount(missing, "run is", "runs are")} still missing; run the study again to add them. The numbers cover only the finished runs.`;
  const texts = [
    ...when(missing > 0, lacking),
    ...dataset.notes,
    ...manifest.notes,
    ...when(withoutGold > 0, `${formatCount(withoutGold, "case has", "cases have")} no gold and count for cost only.`),
    ...when(saved > 0, `${names}: decided on recorded turns, which saved ${countText(saved)} calls.`),
  ];
  return texts.map((text) => ({ kind: "text", title: "", text, tone: "warn" }));
}

export function buildCostChart({ arms, manifest }: StudySummary): Section {
  const costName = arms.some(({ spend }) => spend.tokens > 0) ? "tokens per run" : "turns per run";
  const costOf = ({ arm }: ArmSummary): number => {
    // An arm that reuses turns costs what those turns cost.
    const paid = arms.find((one) => one.arm.name === (arm.redecide ?? arm.name));
    const spent = costName === "tokens per run" ? paid?.spend.tokens : paid?.usage.calls;
    return (spent ?? 0) / Math.max(1, paid?.runs ?? 1);
  };
  return {
    kind: "chart",
    title: `${manifest.primary} over ${costName}`,
    id: "scores",
    note: "With 95% intervals over cases; up and to the left is better. A case without a decision counts as 0; a failed one is left out. The dashed line joins the arms that no cheaper arm beats.",
    repeats: true,
    chart: {
      type: "cost",
      axes: { cost: costName, quality: manifest.primary },
      points: arms
        .toReversed()
        .flatMap((one) =>
          one.primary ? [{ name: one.arm.name, group: one.arm.kind, cost: costOf(one), quality: one.primary }] : [],
        ),
    },
  };
}

function buildFlipsSection({ arms: [reference] }: StudySummary): Section[] {
  if (!reference || reference.flips.length === 0) return [];
  const note = `Flip ledger of ${reference.arm.name}, against gold.`;
  return [
    makeTable({ title: "What the rounds changed", id: "flips", note }, reference.flips, [
      ["role", ({ role }) => role],
      [numeric("into round"), ({ round }) => countText(round)],
      [numeric("wrong → right"), ({ wrong_to_right: count }) => countText(count)],
      [numeric("right → wrong"), ({ right_to_wrong: count }) => countText(count)],
      [numeric("gave in", "went over to the majority of the round before"), ({ conformed }) => countText(conformed)],
      [numeric("and was wrong then"), ({ conformed_right_to_wrong: count }) => countText(count)],
    ]),
  ];
}

function buildPanelsSection({ arms }: StudySummary): Section[] {
  const asked = arms.find(({ panel }) => panel !== null);
  if (!asked?.panel) return [];
  return [
    {
      kind: "group",
      title: "What the speakers are worth as a panel",
      id: "panels",
      sections: [
        {
          kind: "text",
          title: "",
          text: `By the opening answers of ${asked.arm.name}, before the speakers read each other.`,
        },
        ...buildPanelSections(asked.panel),
      ],
    },
  ];
}

function buildMetricsSection({ arms, manifest }: StudySummary): Section[] {
  const names = [...new Set(arms.flatMap((one) => Object.keys(one.metrics)))];
  if (names.length === 0) return [];
  const warned = warnings(arms);
  return [
    {
      kind: "group",
      title: `Metrics of the ${manifest.pack} pack`,
      id: "metrics",
      sections: [
        ...warned,
        {
          kind: "table",
          title: "",
          note: "Over the cases that were decided, with 95% intervals.",
          columns: ["metric", ...arms.map((one) => numeric(one.arm.name))],
          rows: names.map((name) => {
            const values = arms.flatMap((one) => (one.metrics[name] ? [one.metrics[name]] : []));
            const share = isShare(values.flatMap(({ estimate, high }) => [estimate, high]));
            return [name, ...arms.map((one) => intervalCell(one.metrics[name], share))];
          }),
        },
      ],
    },
  ];
}

function intervalCell(value: Interval | null | undefined, share = true): Cell {
  return value ? { text: valueText(value.estimate, share), note: formatRange(value, share) } : "–";
}

function warnings(arms: readonly ArmSummary[]): Section[] {
  const found = arms.flatMap((one) => one.warnings.map((warning) => ({ ...warning, arm: one.arm.name })));
  const groups = Map.groupBy(found, (one) => JSON.stringify([one.level, one.metric, one.tip]));
  return [...groups.values()].flatMap((group): Section[] => {
    const [first] = group;
    if (!first) return [];
    const where = group.map((one) => `${valueText(one.value, isShare([one.value]))} in ${one.arm}`).join(", ");
    const level = first.level === "high" ? "High" : "Warning";
    const text = `${level}: ${first.metric} is ${where}.\n${first.tip}`;
    return [{ kind: "text", title: "", text, tone: first.level === "high" ? "bad" : "warn" }];
  });
}

function buildMethodSection({ manifest, arms }: StudySummary): Section {
  const { code, dataset } = manifest;
  const { calls, tokens, usd } = sumWorstCases(arms.map(({ spend }) => spend));
  const rows = [
    { label: "parley", value: code.parley },
    { label: "pack", value: manifest.pack },
    { label: "dataset", value: `${dataset.path}, ${dataset.cases} cases, sha256 ${dataset.hash.slice(0, 16)}…` },
    { label: "study file", value: `sha256 ${manifest.study_hash.slice(0, 16)}…` },
    { label: "players", value: manifest.models.join(", ") || "–" },
    { label: "seeds", value: manifest.seeds.join(", ") },
    { label: "runs", value: countText(arms.reduce((sum, one) => sum + one.runs, 0)) },
    { label: "cost of all", value: `${countText(calls)} calls, ${formatShortCount(tokens)} tokens, ${formatUsd(usd)}` },
    { label: "started", value: manifest.started_at },
  ];
  return {
    kind: "group",
    title: "How this was measured",
    id: "method",
    sections: [
      { kind: "text", title: "", text: explainMethod(manifest.primary) },
      { kind: "facts", title: "What ran", rows },
    ],
  };
}

function explainMethod(primary: string): string {
  return `Every arm ran on the same cases. Gold was split off when the data was loaded and met nothing but finished decisions. A case without a decision scores 0. A case is right when ${primary} is 1; with several seeds, when it is right in more than half of them.

Intervals are 95% percentile bootstraps over cases (seeds of a case are averaged first), or Wilson intervals where a metric is a plain share of cases; differences are paired by case, McNemar's test is exact and two-sided, and p-values are corrected with Holm's method over all arms compared. The self-consistency control gets, case by case, as many samples as fit the tokens that the reference arm used on that case.`;
}

export type WrittenReports = { summary: StudySummary; html: string; markdown: string };

export async function writeReports(
  folder: string,
  study: { manifest: StudyManifest; scorecards: readonly Scorecard[] },
  pack: AnyPack,
): Promise<WrittenReports> {
  const summary = summariseStudy(study.manifest, study.scorecards, pack.measure);
  const sections = buildStudySections(summary, study.scorecards);
  const write = (name: string, content: string): string => {
    const file = placeIn(folder, name);
    replaceFile(file, content);
    return file;
  };
  return {
    summary,
    html: write("report.html", await htmlReport(study.manifest, sections)),
    markdown: write("report.md", markdownReport(study.manifest, sections)),
  };
}

export function htmlReport(manifest: StudyManifest, sections: readonly Section[]): Promise<string> {
  return writePage(
    { title: manifest.study, from: `study of the ${manifest.pack} pack`, intro: aboutOf(manifest) },
    sections,
  );
}

export async function writePage(
  head: { title: string; from: string; intro: string },
  sections: readonly Section[],
): Promise<string> {
  const { renderDocument } = await loadPageRenderer();
  return renderDocument({
    ...head,
    from: `Parley · ${head.from}`,
    language: "en",
    sections: [...sections],
    foot: `Made by Parley ${version}. This file needs no network; it can be sent and printed.`,
    words: frameOf("en"),
  });
}

export function markdownReport(manifest: StudyManifest, sections: readonly Section[]): string {
  const head = `# ${escapeMarkdown(manifest.study)}\n\n${escapeMarkdown(aboutOf(manifest))}`;
  return `${head}\n\n${renderMarkdown(sections)}\n`;
}

function aboutOf({ about, pack }: StudyManifest): string {
  return about ?? `A study of the ${pack} pack.`;
}
