import type { AnyPack } from "../../engine/pack.ts";
import { replaceFile, placeIn } from "../../store/replace-file.ts";
import type { Scorecard, StudyManifest } from "../results/results.ts";
import { type StudySummary, summariseStudy } from "../summary/summarise-study.ts";
import type { Section } from "../../contract/view.ts";
import { buildStudySections } from "./study-sections.ts";
import { frameOf } from "../../contract/frame-words.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { version } from "../../runs/read-run.ts";
import { escapeMarkdown } from "../../text/layout.ts";

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
