import { turnId } from "../../contract/turn.ts";
import { durationText, gist, type PagedTurn, roundsOf } from "./export-page.ts";
import { escapeAttribute, escapeHtml, htmlId } from "../../text/html-escape.ts";
import { valueHtml } from "./html-value.ts";

/** From how many rounds on only the first and the last two start open. */
const manyRounds = 6;
/** From how many characters on a reply takes the whole width, and from how many it starts folded. */
const wideReply = 700;
const longReply = 3_000;

/** The debate: round after round, turns as cards, prompt and raw reply on demand. */
export function debateHtml(turns: readonly PagedTurn[]): string {
  if (turns.length === 0) return "";
  const rounds = roundsOf(turns);
  const parts = rounds.map(({ round, turns: inside }, index) => {
    const isOpen = rounds.length <= manyRounds || index === 0 || index >= rounds.length - 2;
    return `<details class="round" id="${htmlId("round", String(round))}"${isOpen ? " open" : ""}><summary><h3>${roundName(round)}</h3> <span class="soft">${escapeHtml(roundGist(inside))}</span></summary><div class="turns">${inside.map(turnHtml).join("")}</div></details>`;
  });
  return `<section aria-labelledby="debate"><h2 id="debate">The debate</h2>${parts.join("")}</section>`;
}

/** A round's name; what was asked outside any round is preparation or conclusion. */
export function roundName(round: number): string {
  return round === 0 ? "Outside the rounds" : `Round ${round}`;
}

function roundGist(turns: readonly PagedTurn[]): string {
  const steps = [...new Set(turns.map((turn) => turn.key.step))];
  const odd = [...Map.groupBy(turns, (turn) => turn.status)].filter(([status]) => status !== "answered");
  return [
    `${turns.length} turn${turns.length === 1 ? "" : "s"}`,
    ...(steps.length <= 4 ? [steps.join(", ")] : []),
    ...odd.map(([status, group]) => `${group.length} ${status}`),
  ].join(" · ");
}

function turnHtml(turn: PagedTurn): string {
  const name = turnId(turn.key);
  const id = escapeAttribute(htmlId("turn", name));
  const length = JSON.stringify(turn.reply ?? null).length;
  const reply = replyHtml(turn, length);
  const isBroad = length > wideReply || reply.includes("<table");
  const step = turn.key.step === turn.key.role ? "" : ` <span class="step">${escapeHtml(turn.key.step)}</span>`;
  return `<article class="turn ${turn.status}${isBroad ? " broad" : ""}" id="${id}">
<header><h4>${escapeHtml(turn.key.role)}</h4>${step} <span class="status">${turn.status}</span> <span class="player">${escapeHtml(turn.player)}${escapeHtml(costOf(turn))}</span> <a class="here" href="#${id}" aria-label="link to ${escapeAttribute(name)}">#</a></header>
${reply}${problemsHtml(turn)}
<details class="raw"><summary>prompt and raw repl${turn.attempts.length > 1 ? "ies" : "y"}</summary><h5>prompt</h5><pre tabindex="0">${escapeHtml(turn.prompt.join("\n"))}</pre>${turn.attempts.map((attempt, index) => `<h5>reply${turn.attempts.length > 1 ? ` ${index + 1}` : ""}</h5><pre tabindex="0">${escapeHtml(attempt.raw)}</pre>`).join("")}</details>
</article>`;
}

function replyHtml({ status, reply }: PagedTurn, length: number): string {
  if (status === "abstained") return `<p class="nothing">No valid reply: counted as an abstention.</p>`;
  const html = valueHtml(reply);
  if (length <= longReply) return `<div class="reply">${html}</div>`;
  return `<details class="reply"><summary>${escapeHtml(gist(reply))}</summary>${html}</details>`;
}

/** What was wrong with the attempts; what a repair mended is said to be mended. */
function problemsHtml({ attempts, status }: PagedTurn): string {
  const items = attempts.flatMap((attempt, index) => {
    const mended = status === "repaired" && index < attempts.length - 1;
    return attempt.problems.map(
      ({ code, message }) =>
        `<li><b>${escapeHtml(code)}</b> ${escapeHtml(message)}${mended ? ` <span class="soft">(repaired)</span>` : ""}</li>`,
    );
  });
  return items.length === 0 ? "" : `<ul class="problems">${items.join("")}</ul>`;
}

function costOf({ usage, attempts }: PagedTurn): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const ms = attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0);
  return tokens === 0 ? "" : ` · ${tokens.toLocaleString("en")} tokens · ${durationText(ms)}`;
}
