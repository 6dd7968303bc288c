import type { ArmSummary } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { judgeComparison } from "../summary/reach-verdict.ts";
import {
  countText,
  isShare,
  pointsText,
  pText,
  rangeText,
  shortCount,
  timeText,
  usdText,
  valueText,
} from "../../text/number-text.ts";
import { shownMetrics } from "./sections/scores.ts";

/** The report as Markdown: the same numbers and words without the plots. */
export function markdownReport(summary: StudySummary): string {
  const { manifest, verdict } = summary;
  const parts = [
    `# ${plain(manifest.study)}`,
    plain(manifest.about ?? `A study of the ${manifest.pack} pack.`),
    `**Was the debate worth it? ${plain(verdict.headline)}**`,
    verdict.sentences.map((one) => `- ${plain(one)}`).join("\n"),
    ...notes(summary),
    `## Scores\n\n${scoreTable(summary)}`,
    ...comparisonPart(summary),
    `## Cost\n\n${costTable(summary.arms)}`,
    ...flipPart(summary.arms),
    ...gatePart(summary),
    ...confidencePart(summary.arms),
    ...ratePart(summary),
    ...strataPart(summary),
    methodPart(summary),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function notes({ missing, manifest }: StudySummary): string[] {
  const found = [
    ...(missing > 0 ? [`${countText(missing)} runs are still missing.`] : []),
    ...manifest.dataset.notes,
    ...manifest.notes,
    ...manifest.left_out.map(({ name, reason }) => `${name} was left out: ${reason}.`),
  ];
  return found.length === 0 ? [] : [found.map((one) => `> ${plain(one)}`).join("\n>\n")];
}

function scoreTable(summary: StudySummary): string {
  const names = shownMetrics(summary);
  const head = ["arm", "kind", summary.manifest.primary, "95 % interval", "cases right", ...names, "decided", "failed"];
  const rows = summary.arms.map(({ arm, primary, right, metrics, outcomes }) => [
    arm.name,
    arm.kind,
    valueText(primary?.estimate),
    primary ? rangeText(primary) : "–",
    right ? `${countText(right.estimate * right.cases)} of ${countText(right.cases)}` : "–",
    ...names.map((name) => valueText(metrics[name]?.estimate, isShare([metrics[name]?.high ?? 0]))),
    countText(outcomes.decided ?? 0),
    countText((outcomes.failed ?? 0) + (outcomes.budget_exhausted ?? 0)),
  ]);
  return table(head, rows);
}

function comparisonPart({ comparisons, arms, manifest }: StudySummary): string[] {
  if (comparisons.length === 0) return [];
  const reference = arms[0]?.arm.name ?? "";
  const head = [
    "against",
    "difference",
    "95 % interval",
    "p (Holm)",
    "right only here",
    "right only there",
    "McNemar p",
    "McNemar p (Holm)",
    `${reference} is`,
  ];
  const rows = comparisons.map((one) => [
    one.arm,
    pointsText(one.difference.estimate),
    rangeText(one.difference),
    pText(one.difference.holm),
    countText(one.mcnemar.onlyFirst),
    countText(one.mcnemar.onlySecond),
    pText(one.mcnemar.exactP),
    pText(one.mcnemar.holm),
    judgeComparison(one),
  ]);
  return [
    `## ${plain(reference)} against each arm\n\nPoints of ${plain(manifest.primary)}, paired by case; positive means ${plain(reference)} is better.\n\n${table(head, rows)}`,
  ];
}

function costTable(arms: ArmSummary[]): string {
  const head = ["arm", "calls a run", "tokens a run", "cost a run", "time a run", "calls saved", "samples"];
  const rows = arms.map(({ arm, usage, runs, wallMs, callsSaved, samples }) => {
    const each = (value: number): number => value / Math.max(1, runs);
    return [
      arm.name,
      each(usage.calls).toFixed(1),
      shortCount(each(usage.inputTokens + usage.outputTokens)),
      usdText(usage.costUsd === null ? null : each(usage.costUsd)),
      timeText(each(wallMs)),
      countText(callsSaved),
      samples === null ? "–" : samples.toFixed(1),
    ];
  });
  return table(head, rows);
}

function flipPart(arms: ArmSummary[]): string[] {
  return arms
    .filter((one) => one.flips.length > 0 && one.callsSaved === 0)
    .map(({ arm, flips, votes }) => {
      const head = [
        "role",
        "into round",
        "wrong → right",
        "right → wrong",
        "wrong → wrong",
        "kept right",
        "kept wrong",
        "against majority",
        "gave in",
      ];
      const rows = flips.map((row) => [
        row.entered ? `${row.role} (from where the others stood)` : row.role,
        ...[
          row.round,
          row.wrong_to_right,
          row.right_to_wrong,
          row.wrong_to_wrong,
          row.kept_right,
          row.kept_wrong,
          row.against_majority,
          row.conformed,
        ].map(countText),
      ]);
      const vote = votes
        .map(({ round, right, items }) => `after round ${round} ${valueText(right / Math.max(1, items))}`)
        .join(", ");
      return `## What the rounds changed: ${plain(arm.name)}\n\nA plain vote of the speakers would have been right: ${vote}.\n\n${table(head, rows)}`;
    });
}

function gatePart({ gate }: StudySummary): string[] {
  if (!gate) return [];
  const scored = `${valueText(gate.score.estimate)} (${rangeText(gate.score)}), ${pointsText(gate.difference.estimate)} points to always debating`;
  return [
    `## Debate only where the openings disagree?\n\nThe first words disagree in ${countText(gate.split.length)} of ${countText(gate.cases)} cases. Voting where they agree and debating only the rest would have scored ${scored}, at ${valueText(gate.costShare)} of its cost.`,
  ];
}

function confidencePart(arms: ArmSummary[]): string[] {
  const rows = arms
    .filter((one) => one.calibration !== null || one.riskCoverage !== null)
    .map(({ arm, calibration, riskCoverage }) => [
      arm.name,
      valueText(calibration?.ece),
      calibration?.brier.toFixed(3) ?? "–",
      valueText(riskCoverage?.coverage),
      riskCoverage?.aurc.toFixed(3) ?? "–",
    ]);
  return rows.length === 0 ? [] : [`## Confidence\n\n${table(["arm", "ECE", "Brier", "decided", "AURC"], rows)}`];
}

function ratePart({ arms, manifest }: StudySummary): string[] {
  const names = [...new Set(arms.flatMap((one) => Object.keys(one.rates)))];
  if (names.length === 0) return [];
  const warnings = arms.flatMap(({ arm, warnings: own }) =>
    own.map(
      (one) =>
        `- **${one.level}**: ${plain(one.metric)} is ${valueText(one.value, isShare([one.value]))} in ${plain(arm.name)}. ${plain(one.tip)}`,
    ),
  );
  const rows = names.map((name) => {
    const share = isShare(arms.flatMap((one) => (one.rates[name] ? [one.rates[name].high] : [])));
    return [
      name,
      ...arms.map((one) =>
        one.rates[name] ? `${valueText(one.rates[name].estimate, share)} (${rangeText(one.rates[name], share)})` : "–",
      ),
    ];
  });
  return [
    `## Corpus metrics of the ${plain(manifest.pack)} pack`,
    warnings.join("\n"),
    table(["metric", ...arms.map((one) => one.arm.name)], rows),
  ];
}

function strataPart({ strata, arms }: StudySummary): string[] {
  return strata
    .filter((group) => group.rows.length > 1)
    .map((group) => {
      const rows = group.rows.map((row) => [
        row.value,
        countText(row.cases),
        ...arms.map(({ arm }) => valueText(row.arms.find((cell) => cell.arm === arm.name)?.primary?.estimate)),
      ]);
      return `## By ${plain(group.name)}\n\n${table([group.name, "cases", ...arms.map((one) => one.arm.name)], rows)}`;
    });
}

function methodPart({ manifest }: StudySummary): string {
  const { code, dataset } = manifest;
  return `## What ran\n\n${table(
    ["what", "value"],
    [
      ["parley", `${code.parley}${code.commit ? ` (${code.commit.slice(0, 12)})` : ""}`],
      ["dataset", `${dataset.path}, ${dataset.cases} cases, sha256 ${dataset.hash.slice(0, 16)}…`],
      ["players", manifest.models.join(", ")],
      ["seeds", manifest.seeds.join(", ")],
      ...manifest.arms.map((arm) => [
        `arm ${arm.name}`,
        `cast ${arm.cast}, config ${arm.config_hash.slice(0, 12)}${arm.redecide ? `, turns of ${arm.redecide}` : ""}`,
      ]),
    ],
  )}`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => plain(cell)).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- ").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Text that Markdown shows as it is, on one line. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]<>|#]/g, (mark) => (mark === "_" ? mark : `\\${mark}`));
}
