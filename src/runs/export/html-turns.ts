import type { Note } from "../../contract/result.ts";
import { turnId } from "../../contract/turn.ts";
import { type PagedTurn, roundsOf } from "./export-page.ts";
import { escapeHtml, htmlId } from "./html-escape.ts";
import { valueHtml } from "./html-value.ts";

/** The debate: rounds as columns, turns as cards, prompt and raw reply on demand. */
export function debateHtml(turns: readonly PagedTurn[]): string {
  if (turns.length === 0) return "";
  const columns = roundsOf(turns).map(
    ({ round, turns: inside }) =>
      `<div class="round"><h3>${round === 0 ? "Outside the rounds" : `Round ${round}`}</h3>${inside.map(turnHtml).join("")}</div>`,
  );
  return `<section><h2>The debate</h2><div class="rounds" tabindex="0">${columns.join("")}</div></section>`;
}

function turnHtml(turn: PagedTurn): string {
  const name = turnId(turn.key);
  const step = turn.key.step === turn.key.role ? "" : `<span class="step">${escapeHtml(turn.key.step)}</span>`;
  const problems = turn.attempts.flatMap((attempt) => attempt.problems);
  return `<article class="turn ${turn.status}" id="${htmlId(name)}">
<header><b>${escapeHtml(turn.key.role)}</b> ${step} <span class="player">${escapeHtml(turn.player)}</span> <span class="status">${turn.status}</span></header>
<div class="reply">${turn.status === "abstained" ? `<p class="nothing">abstained</p>` : valueHtml(turn.reply)}</div>
${problems.length === 0 ? "" : `<ul class="problems">${problems.map((problem) => `<li><b>${escapeHtml(problem.code)}</b> ${escapeHtml(problem.message)}</li>`).join("")}</ul>`}
<details><summary>prompt and raw reply</summary><pre tabindex="0">${escapeHtml(turn.prompt.join("\n"))}</pre>${turn.attempts.map((attempt) => `<pre class="raw" tabindex="0">${escapeHtml(attempt.raw)}</pre>`).join("")}</details>
</article>`;
}

/** What the rules decided, in order, with their numbers. */
export function rulesHtml(notes: readonly Note[]): string {
  if (notes.length === 0) return "";
  const items = notes.map(
    ({ type, round, data }) =>
      `<li><details><summary><b>${escapeHtml(type.replaceAll("_", " "))}</b>${round > 0 ? ` <span class="step">round ${round}</span>` : ""} <span class="gist">${escapeHtml(gist(data))}</span></summary>${valueHtml(data)}</details></li>`,
  );
  return `<section><h2>What the rules decided</h2><ol class="notes">${items.join("")}</ol></section>`;
}

/** The short values of a note, on one line. */
function gist(data: unknown): string {
  if (data === null || typeof data !== "object") return String(data);
  const parts = Object.entries(data).flatMap(([key, value]) => {
    const text =
      typeof value === "number"
        ? String(Number(value.toFixed(3)))
        : typeof value === "string" || typeof value === "boolean"
          ? String(value)
          : "";
    return text === "" || text.length > 60 ? [] : [`${key.replaceAll("_", " ")} ${text}`];
  });
  const line = parts.join(" · ");
  return line.length > 180 ? `${line.slice(0, 179)}…` : line;
}
