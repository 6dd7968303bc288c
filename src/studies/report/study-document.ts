import type { Section } from "../../contract/view.ts";
import { drawPage } from "../../print/html/draw-page.ts";
import { listContents, renderHtml } from "../../print/html/render-html.ts";
import { renderMarkdown } from "../../print/markdown/render-markdown.ts";
import { html } from "../../text/html.ts";
import { escapeMarkdown } from "../../text/markdown.ts";
import type { StudyManifest } from "../results/study-manifest.ts";

/** A study's report as one HTML file: no request leaves it, no script runs in it, and it opens from a disk. */
export function htmlReport(manifest: StudyManifest, sections: readonly Section[]): string {
  return drawPage({
    title: manifest.study,
    language: "en",
    head: html`<p class="eyebrow">Parley · study of the ${manifest.pack} pack</p><h1>${manifest.study}</h1><p>${aboutOf(manifest)}</p>`,
    contents: listContents(sections),
    main: renderHtml(sections),
    foot: html`Made by Parley ${manifest.code.parley}. This file needs no network; it can be sent and printed.`,
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
