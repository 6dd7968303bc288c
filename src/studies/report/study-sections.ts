import type { Section } from "../../contract/view.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { buildComparisonsSection } from "./sections/comparisons.ts";
import { buildConfidenceSection } from "./sections/confidence.ts";
import { buildCostsSection } from "./sections/costs.ts";
import { buildFlipsSection } from "./sections/flips.ts";
import { buildSplitSection } from "./sections/gate.ts";
import { buildMethodSection } from "./sections/method.ts";
import { buildOverviewSections, buildSizeSection } from "./sections/overview.ts";
import { buildRatesSection } from "./sections/rates.ts";
import { collectRuns } from "./sections/run-sets.ts";
import { buildScoresSection } from "./sections/scores.ts";
import { buildStrataSection } from "./sections/strata.ts";

/** A study's whole report, from the verdict to the runs; every output is rendered from these sections (product spec §5). */
export function buildStudySections(summary: StudySummary, cards: readonly Scorecard[]): Section[] {
  const runs = collectRuns(cards);
  return [
    ...buildOverviewSections(summary),
    buildSizeSection(summary),
    buildScoresSection(summary, runs),
    ...buildComparisonsSection(summary, runs),
    buildCostsSection(summary),
    ...buildFlipsSection(summary, runs),
    ...buildSplitSection(summary, runs),
    ...buildConfidenceSection(summary),
    ...buildRatesSection(summary),
    ...buildStrataSection(summary, runs),
    buildMethodSection(summary),
    runs.section(),
  ];
}
