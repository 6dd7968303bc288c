import type { Section } from "../../contract/view.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { comparisonsSection } from "./sections/comparisons.ts";
import { confidenceSection } from "./sections/confidence.ts";
import { costsSection } from "./sections/costs.ts";
import { flipsSection } from "./sections/flips.ts";
import { gateSection } from "./sections/gate.ts";
import { methodSection } from "./sections/method.ts";
import { overviewSections, sizeSection } from "./sections/overview.ts";
import { ratesSection } from "./sections/rates.ts";
import { collectRuns } from "./sections/run-sets.ts";
import { scoresSection } from "./sections/scores.ts";
import { strataSection } from "./sections/strata.ts";

/** A study's whole report, from the verdict to the runs; every output is rendered from these sections (product spec §5). */
export function studySections(summary: StudySummary, cards: readonly Scorecard[]): Section[] {
  const runs = collectRuns(cards);
  return [
    ...overviewSections(summary),
    sizeSection(summary),
    scoresSection(summary, runs),
    ...comparisonsSection(summary, runs),
    costsSection(summary),
    ...flipsSection(summary, runs),
    ...gateSection(summary, runs),
    ...confidenceSection(summary),
    ...ratesSection(summary),
    ...strataSection(summary, runs),
    methodSection(summary),
    runs.section(),
  ];
}
