import type { Section } from "../../../contract/view.ts";
import { countText, formatPoints, formatRange, valueText } from "../../../text/number-text.ts";
import type { PairedDifference } from "../../statistics/bootstrap.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import type { RunSets } from "./run-sets.ts";

/** Debate only when it pays: what a gate on disagreement would have saved and lost on these cases. */
export function buildSplitSection({ gate: found, manifest }: StudySummary, runs: RunSets): Section[] {
  if (!found) return [];
  const split = new Set(found.split);
  const where = (one: PairedDifference | null): string =>
    one ? `${formatPoints(one.estimate)} points (${formatRange(one)})` : "no such case";
  return [
    {
      kind: "facts",
      title: "Debate only where the openings disagree?",
      id: "gate",
      note: `Taking the vote where the first words agree and debating only the rest would have scored ${valueText(found.score.estimate)} of ${manifest.primary}, at ${valueText(found.costShare)} of its cost.`,
      rows: [
        {
          label: "cases whose first words disagree",
          value: `${countText(found.split.length)} of ${countText(found.cases)}`,
          runs: runs.refer("Runs of cases whose openings disagree", (card) => split.has(card.case_id)),
        },
        { label: `the debate against ${found.vote} there`, value: where(found.whereSplit) },
        { label: `the debate against ${found.vote} elsewhere`, value: where(found.whereAgreed) },
        {
          label: `${manifest.primary} with such a gate`,
          value: `${valueText(found.score.estimate)} (${formatRange(found.score)})`,
        },
        {
          label: "to always debating",
          value: `${formatPoints(found.difference.estimate)} points (${formatRange(found.difference)}), at ${valueText(found.costShare)} of its cost`,
        },
      ],
    },
  ];
}
