import { join } from "node:path";
import type { AnyPack } from "../../engine/pack.ts";
import { replaceFile } from "../../store/replace-file.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { StudyManifest } from "../results/study-manifest.ts";
import { type StudySummary, summariseStudy } from "../summary/summarise-study.ts";
import { htmlReport, markdownReport } from "./study-document.ts";
import { buildStudySections } from "./study-sections.ts";

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
