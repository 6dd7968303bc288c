import { turnIdOf } from "../../contract/turn.ts";
import { drawPage } from "../../print/html/draw-page.ts";
import { htmlId } from "../../print/html/html-id.ts";
import { listContents, renderHtml } from "../../print/html/render-html.ts";
import { formatDuration } from "../../text/duration.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { buildCostSection } from "./cost-section.ts";
import { type ExportPage, formatQuorum, nameRound, roundsOf } from "./export-page.ts";
import { describeSpend } from "../record/spend-of.ts";
import { frameOf } from "./frame-words.ts";
import { drawDebate } from "./html-turns.ts";
import { drawPieces } from "./html-story.ts";
import { drawRules } from "./html-rules.ts";
import { pickMainSections } from "./main-sections.ts";
import { runStyle } from "./run-style.ts";

/** A run as one HTML file that opens from disk: no script, no outside resource, and hostile text stays text. */
export function exportHtml(page: ExportPage): string {
  const { run, title, result, turns } = page;
  const words = frameOf(page.language);
  const sections = pickMainSections(page);
  const cost = buildCostSection(page);
  const named = new Set(turns.map((turn) => turnIdOf(turn.key)));
  const head = html`<p class="eyebrow">Parley · ${run.manifest.pack} · ${run.createdAt.slice(0, 16).replace("T", " ")} UTC</p>
<h1${title.length > 90 && html` class="long"`}>${title}</h1>
${drawHead(page)}`;
  const foot = html`${page.language === "en" && `${page.summary} `}${words.written(run.manifest.parley, run.id)}; ${words.journal(run.entryCount)} <code>${run.headHash.slice(0, 16)}</code>. <code>parley verify ${run.id}</code> ${words.checks}<span class="on-paper"> ${words.onPaper}</span>`;
  return drawPage({
    title,
    language: languageOf(page),
    head,
    contents: [
      ...listContents(sections),
      ...(turns.length > 0 ? [{ title: words.debate, id: "debate", more: drawRoundLinks(page) }] : []),
      ...((result?.notes.length ?? 0) > 0 ? [{ title: words.rules, id: "rules" }] : []),
      ...listContents([cost]),
      ...(page.pieces.length > 0 ? [{ title: words.prompts, id: "prompts" }] : []),
    ],
    main: html`${renderHtml(sections, { turns: named })}${drawDebate(page)}${drawRules(result?.notes ?? [], words)}${renderHtml([cost])}${drawPieces(page.pieces, words)}`,
    foot,
    ways: words.ways,
    style: runStyle,
  });
}

function drawHead(page: ExportPage): Markup {
  const { result, run, headline, elapsedMs } = page;
  const words = frameOf(page.language);
  if (!result) return drawUnfinished(page);
  const lines = Object.entries(headline).map(([name, text]) => html` <span class="says"><i>${name}</i> ${text}</span>`);
  const time = elapsedMs === null ? "" : ` · ${formatDuration(elapsedMs)}`;
  const why =
    result.reasons.length > 0 && html`<ul class="why">${result.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  return html`<p class="outcome-line"><span class="badge ${result.outcome}">${words.outcomes[result.outcome]}</span>${lines}</p>${why}<p class="soft">${formatQuorum(result, words)} · ${describeSpend(result, words.spend)}${time} · ${words.cast} ${run.manifest.cast}</p>`;
}

function drawUnfinished({ run, turns, language }: ExportPage): Markup {
  const words = frameOf(language);
  const [before, after] = run.status === "finished" ? ["", ""] : words.goesOn[run.status];
  const command = run.status === "waiting" ? "review" : "resume";
  const what = run.status !== "finished" && html`${before}<code>parley ${command} ${run.id}</code>${after}`;
  return html`<p class="outcome-line"><span class="badge undecided">${words.unfinished}</span> ${what}</p><p class="soft">${words.soFar(turns.length)} · ${words.cast} ${run.manifest.cast}</p>`;
}

const shownRounds = 16;

function drawRoundLinks({ turns, language }: ExportPage): Part {
  const words = frameOf(language);
  const rounds = roundsOf(turns).map(({ round }) => round);
  if (rounds.length < 2) return null;
  const shown = rounds.length <= shownRounds ? rounds : [...rounds.slice(0, shownRounds - 1), ...rounds.slice(-1)];
  const links = shown.map(
    (round) =>
      html` <a href="#${htmlId("round", String(round))}" aria-label="${nameRound(round, words)}">${round === 0 ? "–" : round}</a>`,
  );
  return html` <span class="round-links">${links}</span>`;
}

/** The language of what was said, where the case or the decision says so. */
function languageOf({ run, result }: ExportPage): string {
  const from = [run.manifest.input, result?.decision].map((value) => (value ?? {}) as Record<string, unknown>);
  const given = from.flatMap((value) => [value.language_code, value.language]);
  const code = given.find((value) => typeof value === "string" && /^[a-z]{2}$/.test(value));
  return typeof code === "string" ? code : "en";
}
