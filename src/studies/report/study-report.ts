import { join } from "node:path";
import type { AnyPack } from "../../engine/pack.ts";
import { replaceFile } from "../../store/replace-file.ts";
import type { Scorecard, StudyManifest } from "../results/results.ts";
import { type StudySummary, summariseStudy } from "../summary/summarise-study.ts";
import type { Section } from "../../contract/view.ts";
import { buildComparisonsSection } from "./comparisons.ts";
import { buildConfidenceSection, buildCostsSection } from "./costs.ts";
import { buildFlipsSection, buildPanelsSection } from "./rounds.ts";
import { buildMethodSection, buildRatesSection, collectRuns, buildStrataSection } from "./details.ts";
import { buildOverviewSections, buildSizeSection, buildScoresSection } from "./overview.ts";
import { frameOf } from "../../contract/frame-words.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { escapeMarkdown } from "../../text/markdown.ts";

export type WrittenReports = { summary: StudySummary; html: string; markdown: string };

/** Writes `report.html` and `report.md` from a study's manifest and scorecards; runs nothing. */
export async function writeReports(
  folder: string,
  study: { manifest: StudyManifest; scorecards: readonly Scorecard[] },
  pack: AnyPack,
): Promise<WrittenReports> {
  const summary = summariseStudy(study.manifest, study.scorecards, pack.measure);
  const sections = buildStudySections(summary, study.scorecards);
  const write = (name: string, content: string): string => {
    const file = join(folder, name);
    replaceFile(file, content);
    return file;
  };
  return {
    summary,
    html: write("report.html", await htmlReport(study.manifest, sections)),
    markdown: write("report.md", markdownReport(study.manifest, sections)),
  };
}

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
    ...buildPanelsSection(summary),
    ...buildConfidenceSection(summary),
    ...buildRatesSection(summary),
    ...buildStrataSection(summary, runs),
    buildMethodSection(summary),
    runs.section(),
  ];
}

/** A study's report as one HTML file: no request leaves it, no script runs in it, and it opens from a disk. */
export async function htmlReport(manifest: StudyManifest, sections: readonly Section[]): Promise<string> {
  const { renderDocument } = await loadPageRenderer();
  return renderDocument({
    title: manifest.study,
    language: "en",
    from: `Parley · study of the ${manifest.pack} pack`,
    intro: aboutOf(manifest),
    sections: [...sections],
    foot: `Made by Parley ${manifest.code.parley}. This file needs no network; it can be sent and printed.`,
    words: frameOf("en"),
  });
}

/** A study's report as Markdown: the same numbers and words without the plots. */
export function markdownReport(manifest: StudyManifest, sections: readonly Section[]): string {
  const head = `# ${escapeMarkdown(manifest.study)}\n\n${escapeMarkdown(aboutOf(manifest))}`;
  return `${head}\n\n${renderMarkdown(sections)}\n`;
}

function aboutOf({ about, pack }: StudyManifest): string {
  return about ?? `A study of the ${pack} pack.`;
}
