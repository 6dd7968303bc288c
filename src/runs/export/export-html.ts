import { turnId } from "../../contract/turn.ts";
import { costText, durationText, type ExportPage, quorumText, roundsOf } from "./export-page.ts";
import { costHtml } from "./html-cost.ts";
import { escapeAttribute, escapeHtml, htmlId } from "../../text/html-escape.ts";
import { changeHtml, rulesHtml } from "./html-rules.ts";
import { type Anchors, sectionHtml, sectionId } from "./html-sections.ts";
import { style } from "./html-style.ts";
import { debateHtml } from "./html-turns.ts";

/** A run as one HTML file that opens from disk: no script, no outside resource, and hostile text stays text. */
export function exportHtml(page: ExportPage): string {
  const { run, title, result, sections, turns } = page;
  const anchors = anchorsOf(page);
  const written = sections.map((section, index) => sectionHtml(section, index, anchors));
  return `<!doctype html>
<html lang="${languageOf(page)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${escapeAttribute(title)} · Parley</title>
<style>${style}</style>
</head>
<body><a class="skip" href="#main">to the content</a>
<header class="top"><p class="eyebrow">Parley · ${escapeHtml(run.manifest.pack)} · ${escapeHtml(run.createdAt.slice(0, 16).replace("T", " "))} UTC</p>
<h1${title.length > 90 ? ` class="long"` : ""}>${escapeHtml(title)}</h1>
${headHtml(page)}</header>
<div class="frame">${contentsHtml(page, written)}
<main id="main">
${written.slice(0, 2).join("\n")}
${changeHtml(page.change)}
${written.slice(2).join("\n")}
${debateHtml(turns)}
${rulesHtml(result?.notes ?? [])}
${costHtml(page)}
</main></div>
<footer>${escapeHtml(page.summary)} Written by Parley ${escapeHtml(run.manifest.parley)} from run <code>${escapeHtml(run.id)}</code>; journal of ${run.entryCount} entries, head <code>${escapeHtml(run.headHash.slice(0, 16))}</code>. <code>parley verify ${escapeHtml(run.id)}</code> checks it.<span class="on-paper"> Prompts and raw replies are in the file, not on paper.</span></footer>
</body>
</html>
`;
}

function anchorsOf({ sections, turns }: ExportPage): Anchors {
  const cards = sections.flatMap((section) => (section.kind === "cards" ? section.cards.map(({ id }) => id) : []));
  return { cards: new Set(cards), turns: new Set(turns.map((turn) => turnId(turn.key))) };
}

function headHtml(page: ExportPage): string {
  const { result, run, headline, elapsedMs } = page;
  if (!result) return unfinishedHtml(page);
  const outcome = `<span class="badge ${result.outcome}">${result.outcome.replaceAll("_", " ")}</span>`;
  const lines = Object.entries(headline).map(
    ([name, text]) => `<span class="says"><i>${escapeHtml(name)}</i> ${escapeHtml(text)}</span>`,
  );
  const time = elapsedMs === null ? "" : ` · ${durationText(elapsedMs)}`;
  const figures = `${quorumText(result)} · ${costText(result)}${time} · cast ${run.manifest.cast}`;
  const why =
    result.reasons.length === 0
      ? ""
      : `<ul class="why">${result.reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join("")}</ul>`;
  return `<p class="outcome-line">${outcome} ${lines.join(" ")}</p>${why}<p class="soft">${escapeHtml(figures)}</p>`;
}

const unfinished = {
  waiting: "a turn waits for a person: <code>parley review RUN</code>",
  interrupted: "it was stopped: <code>parley resume RUN</code> goes on",
  running: "it is running, or its process died: <code>parley resume RUN</code> goes on",
  finished: "",
};

function unfinishedHtml({ run, turns }: ExportPage): string {
  const what = unfinished[run.status].replace("RUN", escapeHtml(run.id));
  return `<p class="outcome-line"><span class="badge undecided">not finished</span> ${what}</p><p class="soft">${turns.length} turns so far · cast ${escapeHtml(run.manifest.cast)}</p>`;
}

/** What is on the page, as links. */
function contentsHtml({ sections, change, turns, result }: ExportPage, written: string[]): string {
  const own = sections.map(({ title }, index) => ({ title, id: sectionId(index) })).filter((_, i) => written[i] !== "");
  const rounds = roundsOf(turns).map(({ round }) => round);
  const links = [
    ...own.slice(0, 2),
    ...(change ? [{ title: "What would change it", id: "change" }] : []),
    ...own.slice(2),
    ...(turns.length > 0 ? [{ title: "The debate", id: "debate" }] : []),
    ...((result?.notes.length ?? 0) > 0 ? [{ title: "What the rules decided", id: "rules" }] : []),
    { title: "Cost and settings", id: "cost" },
  ];
  const items = links.map(({ title, id }) => {
    const inside = id === "debate" ? roundLinks(rounds) : "";
    return `<li><a href="#${id}">${escapeHtml(title)}</a>${inside}</li>`;
  });
  return `<nav aria-label="On this page"><ul>${items.join("")}</ul></nav>`;
}

const shownRounds = 16;

function roundLinks(rounds: number[]): string {
  if (rounds.length < 2) return "";
  const shown = rounds.length <= shownRounds ? rounds : [...rounds.slice(0, shownRounds - 1), ...rounds.slice(-1)];
  const links = shown.map(
    (round) =>
      `<a href="#${htmlId("round", String(round))}" aria-label="${round === 0 ? "outside the rounds" : `round ${round}`}">${round === 0 ? "–" : round}</a>`,
  );
  return ` <span class="round-links">${links.join(" ")}</span>`;
}

/** The language of what was said, where the case or the decision says so. */
function languageOf({ run, result }: ExportPage): string {
  const from = [run.manifest.input, result?.decision].map((value) => (value ?? {}) as Record<string, unknown>);
  const given = from.flatMap((value) => [value.language_code, value.language]);
  const code = given.find((value) => typeof value === "string" && /^[a-z]{2}$/.test(value));
  return typeof code === "string" ? code : "en";
}
