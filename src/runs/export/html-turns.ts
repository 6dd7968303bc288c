import { turnIdOf } from "../../contract/turn.ts";
import { htmlId } from "../../print/html/html-id.ts";
import { formatDuration } from "../../text/duration.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { type ExportPage, gist, type PagedTurn, nameRound, roundsOf } from "./export-page.ts";
import { type FrameWords, frameOf } from "./frame-words.ts";
import { drawPoints, namePoints } from "./html-story.ts";
import { drawValue } from "./html-value.ts";

/** From how many rounds on only the first and the last two start open. */
const manyRounds = 6;
/** From how many characters on a reply takes the whole width, and from how many it starts folded. */
const wideReply = 700;
const longReply = 3_000;

/** The debate: round after round, turns as cards, prompt and raw reply on demand. */
export function drawDebate({ turns, story, language }: Pick<ExportPage, "turns" | "story" | "language">): Part {
  const words = frameOf(language);
  const told = new Map(story.stages.flatMap((stage) => stage.turns.map((turn) => [turn.turn, turn])));
  const names = namePoints(story);
  if (turns.length === 0) return null;
  const rounds = roundsOf(turns);
  const parts = rounds.map(({ round, turns: inside }, index) => {
    const isOpen = rounds.length <= manyRounds || index === 0 || index >= rounds.length - 2;
    return html`<details class="round" id="${htmlId("round", String(round))}"${isOpen && html` open`}><summary><h3>${nameRound(round, words)}</h3> <span class="soft">${summariseRound(inside, words)}</span></summary><div class="turns">${inside.map((turn) => drawTurn(turn, drawPoints(told.get(turnIdOf(turn.key)), names, words), words))}</div></details>`;
  });
  return html`<section aria-labelledby="debate"><h2 id="debate">${words.debate}</h2>${parts}</section>
`;
}

function summariseRound(turns: readonly PagedTurn[], words: FrameWords): string {
  const steps = [...new Set(turns.map((turn) => turn.key.step))];
  const odd = [...Map.groupBy(turns, (turn) => turn.status)].filter(([status]) => status !== "answered");
  return [
    words.turns(turns.length),
    ...(steps.length <= 4 ? [steps.join(", ")] : []),
    ...odd.map(([status, group]) => `${group.length} ${words.statuses[status]}`),
  ].join(" · ");
}

function drawTurn(turn: PagedTurn, told: Part, words: FrameWords): Markup {
  const { key, status, attempts, player } = turn;
  const name = turnIdOf(key);
  const id = htmlId("turn", name);
  const length = JSON.stringify(turn.reply ?? null).length;
  const reply = told ?? drawReply(turn, length, words);
  const isBroad = length > wideReply;
  const step = key.step !== key.role && html` <span class="step">${key.step}</span>`;
  const raw = attempts.map(
    ({ raw: text }, i) =>
      html`<h5>${words.reply}${attempts.length > 1 && ` ${i + 1}`}</h5><pre tabindex="0">${text}</pre>`,
  );
  return html`<article class="turn ${status}${isBroad && " broad"}" id="${id}">
<header><h4>${key.role}</h4>${step} <span class="status">${words.statuses[status]}</span> <span class="player">${player}${computeCost(turn, words)}</span> <a class="here" href="#${id}" aria-label="${words.linkTo(name)}">#</a></header>
${reply}${drawProblems(turn, words)}
<details class="raw"><summary>${words.promptAndReply(attempts.length)}</summary><p class="soft">${words.promptEnds[0]}<a href="#piece-${turn.prompt}">${words.piece(turn.prompt + 1)}</a>${words.promptEnds[1]}</p>${raw}</details>
</article>`;
}

function drawReply({ status, reply }: PagedTurn, length: number, words: FrameWords): Markup {
  if (status === "abstained") return html`<p class="nothing">${words.noReply}</p>`;
  const value = drawValue(reply);
  if (length <= longReply) return html`<div class="reply">${value}</div>`;
  return html`<details class="reply"><summary>${gist(reply)}</summary>${value}</details>`;
}

/** What was wrong with the attempts; what a repair mended is said to be mended. */
function drawProblems({ attempts, status }: PagedTurn, words: FrameWords): Part {
  const items = attempts.flatMap((attempt, index) => {
    const mended = status === "repaired" && index < attempts.length - 1;
    return attempt.problems.map(
      ({ code, message }) =>
        html`<li><b>${code}</b> ${message}${mended && html` <span class="soft">(${words.statuses.repaired})</span>`}</li>`,
    );
  });
  return items.length > 0 && html`<ul class="problems">${items}</ul>`;
}

function computeCost({ usage, attempts }: PagedTurn, words: FrameWords): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const ms = attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0);
  return tokens === 0 ? "" : ` · ${words.spend.tokens(tokens.toLocaleString("en"))} · ${formatDuration(ms)}`;
}
