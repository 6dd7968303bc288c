import { memo, type ReactNode } from "react";
import type { TurnItem } from "../../contract/api/index.ts";
import { fillIn } from "../../contract/frame-words.ts";
import type { Point, StoryTurn } from "../../contract/story.ts";
import { anchorOf, useWords } from "../text/page-context.tsx";
import { LongText, ValueView } from "../text/parts.tsx";
import { foldAlike, sayName, showHidden } from "../text/words.ts";
import { PointCard } from "./point-card.tsx";
import type { StoryIndex } from "./story-index.ts";

type Props = {
  storyTurn: StoryTurn;
  turn: TurnItem | undefined;
  index: StoryIndex;
  decisive?: string | undefined;
  isAt?: boolean;
  /** Opens prompt and raw replies in a side panel; a standalone page has neither. */
  onOpen?: (turn: string) => void;
};

export const TurnCard = memo(function TurnCard({ storyTurn, turn, index, decisive, isAt, onOpen }: Props) {
  const words = useWords();
  const status = turn ? words.statuses[turn.status] : "";
  const isShown = storyTurn.says !== "" || storyTurn.points.length > 0;
  return (
    <article className={`turn ${isAt ? "at" : ""}`} id={anchorOf("turn", storyTurn.turn)} data-turn={storyTurn.turn}>
      <header>
        <Speaker name={sayName(storyTurn.speaker)} number={index.speakers.get(storyTurn.speaker) ?? 0} />
        <span className="secondary">{showHidden(sayName(storyTurn.does))}</span>
        {turn && <PlayedBy player={turn.player} />}
        {decisive !== undefined && (
          <span className="decisive" title={showHidden(decisive)}>
            <span aria-hidden="true">◆</span> {words.decisive}
          </span>
        )}
        {status !== "" && <span className={turn?.status === "abstained" ? "bad" : "warn"}>{status}</span>}
        {onOpen && (
          <button
            className="plain more"
            aria-label={`details of ${storyTurn.turn}`}
            onClick={() => onOpen(storyTurn.turn)}
          >
            {words.details}
          </button>
        )}
      </header>
      {turn?.status === "abstained" && (
        <p className="secondary">{showHidden(turn.problems[0] ? sayProblem(turn.problems[0]) : words.noUsable)}</p>
      )}
      {storyTurn.says !== "" && <LongText text={storyTurn.says} />}
      {storyTurn.points.length > 0 && <Points points={storyTurn.points} index={index} />}
      {!isShown && turn && turn.status !== "abstained" && (
        <div className="value">
          <ValueView value={turn.reply} />
        </div>
      )}
      {turn && <Corrections turn={turn} />}
    </article>
  );
});

type TurnsProps = { turns: readonly StoryTurn[]; at?: string | null; card: (storyTurn: StoryTurn) => ReactNode };

/** The turns of a stage; repetitions are folded under the first. */
export function Turns({ turns, at = null, card }: TurnsProps) {
  const words = useWords();
  const said = ({ does, says, points }: StoryTurn) =>
    JSON.stringify([does, says, points.map(({ name, text, score, uses }) => [name, text, score?.value, uses])]);
  return [...Map.groupBy(turns, said).values()].map(([first, ...same]) => {
    if (!first || same.length < 2) return [first, ...same].map((one) => one && card(one));
    const others = [...new Set(same.map(({ speaker }) => speaker))].filter((name) => name !== first.speaker);
    return (
      <div key={first.turn} className="alike">
        {card(first)}
        <details className="fold" open={same.some(({ turn }) => turn === at)}>
          <summary>
            {[fillIn(words.alike, { count: same.length }), others.map(sayName).map(showHidden).join(", ")]
              .filter(Boolean)
              .join(": ")}
          </summary>
          {same.map(card)}
        </details>
      </div>
    );
  });
}

function PlayedBy({ player }: { player: string }) {
  const words = useWords();
  const [, kind, inner, name = inner] = /^(expert|person|recorded|recording)(?:\((.*)\)|\W(.*))?$/.exec(player) ?? [];
  const said = kind === "expert" ? words.program : kind === "person" ? words.person : words.recorded;
  return (
    <span className="played" title={showHidden(player)}>
      {showHidden(kind === undefined ? player : name ? `${said}, ${name}` : said)}
    </span>
  );
}

export function PlayedNote({ turns }: { turns: readonly { player: string }[] }) {
  const words = useWords();
  const isAll = (kinds: RegExp) => turns.length > 0 && turns.every(({ player }) => kinds.test(player));
  if (isAll(/^expert/)) return <span className="played">{words.byPrograms}</span>;
  if (isAll(/^(?:expert|record)/)) return <span className="played">{words.byRecordings}</span>;
  return null;
}

function Points({ points, index }: { points: readonly Point[]; index: StoryIndex }) {
  const words = useWords();
  const dropped = points.filter(({ standing }) => standing === "dropped");
  const isFew = dropped.length < 2 || dropped.length === points.length;
  const { shown, alike } = foldAlike(
    isFew ? points : points.filter((point) => !dropped.includes(point)),
    ({ standing, status, tags = [] }) => [standing, status, ...tags].join("\n"),
    ({ id, change }) => index.answeredBy.has(id) || change !== undefined,
  );
  const list = (some: readonly Point[]) => (
    <ul className="points">
      {some.map((point) => (
        <PointCard key={point.id} point={point} index={index} />
      ))}
    </ul>
  );
  return (
    <>
      {list(shown)}
      {alike.length > 0 && (
        <details className="fold">
          <summary>{fillIn(words.alike, { count: alike.length })}</summary>
          {list(alike)}
        </details>
      )}
      {!isFew && (
        <details className="fold">
          <summary>{`${dropped.length} ${showHidden(dropped[0]?.status ?? words.standings.dropped)}`}</summary>
          {list(dropped)}
        </details>
      )}
    </>
  );
}

function sayProblem({ path = [], message }: TurnItem["problems"][number]): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

function Corrections({ turn: { status, problems, attempts } }: { turn: TurnItem }) {
  const words = useWords();
  const struck = status === "salvaged" ? problems.map((problem) => [words.struck, sayProblem(problem)] as const) : [];
  const mended = attempts.flatMap(({ mends = [] }) => mends.map((mend) => [words.mended, mend] as const));
  const stood = attempts.flatMap(({ overruled, problems: broken }) =>
    overruled
      ? [
          [
            fillIn(words.letStand, { name: overruled.by, why: overruled.why }),
            broken.map((one) => one.message).join("; "),
          ] as const,
        ]
      : [],
  );
  const all = [...struck, ...mended, ...stood];
  if (all.length === 0) return null;
  return (
    <ul className="struck-list">
      {all.map(([what, text], at) => (
        <li key={at}>
          <span className="warn">{what}</span> {showHidden(text)}
        </li>
      ))}
    </ul>
  );
}

const hues = 6;

function Speaker({ name, number }: { name: string; number: number }) {
  return (
    <span className={`speaker hue-${number % hues}`}>
      <span className="badge" aria-hidden="true">
        {initials(name)}
      </span>
      <span className="who">{showHidden(name)}</span>
    </span>
  );
}

function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [name];
  return (words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [name.slice(0, 1)]).join("").toUpperCase();
}
