import type { Section } from "../../contract/view.ts";
import { frameOf } from "../../contract/frame-words.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { loadPageRenderer } from "../../print/viewer-build.ts";
import { escapeMarkdown } from "../../text/markdown.ts";
import type { StudyManifest } from "../results/study-manifest.ts";

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
