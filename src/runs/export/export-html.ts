import { costText, type ExportPage, quorumText } from "./export-page.ts";
import { escapeHtml } from "./html-escape.ts";
import { sectionHtml } from "./html-sections.ts";
import { style } from "./html-style.ts";
import { debateHtml, rulesHtml } from "./html-turns.ts";
import { valueHtml } from "./html-value.ts";

/** A run as one HTML file that opens from disk: no script, no outside resource, and hostile text stays text. */
export function exportHtml(page: ExportPage): string {
  const { run, result, sections, turns } = page;
  const title = titleOf(page);
  return `<!doctype html>
<html lang="${languageOf(page)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} · Parley</title>
<style>${style}</style>
</head>
<body><main>
<p class="eyebrow">Parley · ${escapeHtml(run.manifest.pack)} · ${escapeHtml(run.createdAt.slice(0, 16).replace("T", " "))} UTC</p>
<h1>${escapeHtml(title)}</h1>
${headHtml(page)}
${sections.map(sectionHtml).join("\n")}
${debateHtml(turns)}
${rulesHtml(result?.notes ?? [])}
${settingsHtml(page)}
<footer>${escapeHtml(page.summary)} Written by Parley ${escapeHtml(run.manifest.parley)} from run <code>${escapeHtml(run.id)}</code>; journal of ${run.entryCount} entries, head <code>${escapeHtml(run.headHash.slice(0, 16))}</code>. <code>parley verify ${escapeHtml(run.id)}</code> checks it.</footer>
</main></body>
</html>
`;
}

function headHtml({ result, run }: ExportPage): string {
  if (!result) return `<p><span class="badge">not finished</span></p>`;
  const why =
    result.reasons.length === 0
      ? ""
      : `<ul>${result.reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join("")}</ul>`;
  const line = `${quorumText(result)} · ${costText(result)} · cast ${run.manifest.cast}`;
  return `<p><span class="badge ${result.outcome}">${result.outcome.replaceAll("_", " ")}</span> <span class="soft">${escapeHtml(line)}</span></p>${why}`;
}

function settingsHtml({ run, result }: ExportPage): string {
  const { config, seed, cast, budget } = run.manifest;
  const spend = result?.spend ?? null;
  const share = result && result.promptTokens.total > 0 ? result.promptTokens.prefix / result.promptTokens.total : null;
  return `<section><h2>Cost and settings</h2>${valueHtml({ cast, seed, budget, spend, share_of_prompt_tokens_that_repeat_a_prefix: share })}
<details><summary>configuration</summary>${valueHtml(config)}</details></section>`;
}

/** What the run was about, in one line. */
export function titleOf({ run }: ExportPage): string {
  const input = run.manifest.input as Record<string, unknown>;
  const text = [input.question, input.query, input.title, input.text].find(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  );
  const line = (text ?? `${run.manifest.pack} run ${run.caseId ?? run.id}`).replaceAll(/\s+/g, " ").trim();
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}

function languageOf({ run }: ExportPage): string {
  const input = run.manifest.input as Record<string, unknown>;
  const given = input.language_code ?? input.language;
  return typeof given === "string" && /^[a-z]{2}$/.test(given) ? given : "en";
}
