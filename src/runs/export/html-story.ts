import type { Point, Story, ToldTurn } from "../../contract/story.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import type { FrameWords } from "./frame-words.ts";
import type { ExportedPiece } from "./gather-pieces.ts";

/** The points of a turn in the pack's words: what became of each, what it answers, what it changes. */
export function drawPoints(told: ToldTurn | undefined, names: ReadonlyMap<string, string>, words: FrameWords): Part {
  if (!told || (told.says === "" && told.points.length === 0)) return null;
  const points = told.points.map((point) => drawPoint(point, names, words));
  return html`<div class="reply">${told.says !== "" && html`<p>${told.says}</p>`}${points.length > 0 && html`<ul class="told">${points}</ul>`}</div>`;
}

const tones = { stands: "good", contested: "warn", conceded: "bad", dropped: "neutral" };
const signs = { stands: "●", contested: "◐", conceded: "↺", dropped: "○" };

function drawPoint(point: Point, names: ReadonlyMap<string, string>, words: FrameWords): Markup {
  const { name, text, tags = [], standing, status, change, repeats, answers = [], score } = point;
  const mark = standing && html` <span class="tone-${tones[standing]}">${signs[standing]} ${status ?? standing}</span>`;
  const about = tags.length > 0 && html` <span class="soft">${tags.join(" · ")}</span>`;
  const points = score && html` <span class="soft">${score.label} ${score.value}</span>`;
  const said = repeats ? html` <span class="soft">${words.keptWordForWord}</span>` : html` ${change ? "" : text}`;
  const edit = change && html` <del>${change.before}</del> → <ins>${change.after}</ins>`;
  const known = answers.flatMap((id) => names.get(id) ?? []);
  const links = known.length > 0 && html` <span class="soft">${words.answers} ${known.join(", ")}</span>`;
  return html`<li><b>${name}</b>${about}${mark}${points}${said}${edit}${links}</li>`;
}

/** What each point is called, for those that answer it. */
export function namePoints({ stages }: Story): Map<string, string> {
  const told = stages.flatMap(({ turns }) => turns);
  return new Map(told.flatMap(({ speaker, points }) => points.map(({ id, name }) => [id, `${speaker} ${name}`])));
}

/** What was sent, each piece once, folded away. */
export function drawPieces(pieces: readonly ExportedPiece[], words: FrameWords): Part {
  if (pieces.length === 0) return null;
  const drawn = pieces.map(
    ({ parent, text }, number) =>
      html`<div id="piece-${number}"><h4>${words.piece(number + 1)}${parent !== null && html`, ${words.after} <a href="#piece-${parent}">${words.piece(parent + 1)}</a>`}</h4><pre tabindex="0">${text}</pre></div>`,
  );
  return html`<section aria-labelledby="prompts" class="prompts"><h2 id="prompts">${words.prompts}</h2><details class="raw"><summary>${words.pieces(pieces.length)}</summary>${drawn}</details></section>
`;
}
