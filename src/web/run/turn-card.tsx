import { memo } from "react";
import type { TurnItem } from "../../contract/api/index.ts";
import type { ToldTurn } from "../../contract/story.ts";
import { LongText, ValueView } from "../text/parts.tsx";
import { sayName, showHidden } from "../text/words.ts";
import { PointCard } from "./point-card.tsx";
import type { StoryIndex } from "./story-index.ts";

type Props = {
  told: ToldTurn;
  turn: TurnItem | undefined;
  index: StoryIndex;
  /** What the turn's silence would change, where the decision hangs on it. */
  decisive: string | undefined;
  isAt: boolean;
  onOpen: (turn: string) => void;
  onGo: (turn: string, point: string) => void;
};

const statusWords: Record<TurnItem["status"], string> = {
  answered: "",
  repaired: "after a repair",
  salvaged: "kept in part",
  abstained: "abstained",
};

/** One role's turn in the pack's words; prompt, raw reply and tokens open at its side. */
export const TurnCard = memo(function TurnCard({ told, turn, index, decisive, isAt, onOpen, onGo }: Props) {
  const status = turn ? statusWords[turn.status] : "";
  const isTold = told.says !== "" || told.points.length > 0;
  return (
    <article className={`turn ${isAt ? "at" : ""}`} id={`turn-${told.turn}`} data-turn={told.turn}>
      <header>
        <Speaker name={sayName(told.speaker)} number={index.speakers.get(told.speaker) ?? 0} />
        <span className="secondary">{showHidden(sayName(told.does))}</span>
        {decisive !== undefined && (
          <span className="decisive" title={decisive}>
            <span aria-hidden="true">◆</span> decisive
          </span>
        )}
        {status !== "" && <span className={turn?.status === "abstained" ? "bad" : "warn"}>{status}</span>}
        <button className="plain more" aria-label={`details of ${told.turn}`} onClick={() => onOpen(told.turn)}>
          details
        </button>
      </header>
      {turn?.status === "abstained" && (
        <p className="secondary">{turn.problems[0]?.message ?? "No usable reply came."}</p>
      )}
      {told.says !== "" && <LongText text={told.says} />}
      {told.points.length > 0 && (
        <ul className="points">
          {told.points.map((point) => (
            <PointCard key={point.id} point={point} index={index} onGo={onGo} />
          ))}
        </ul>
      )}
      {!isTold && turn && turn.status !== "abstained" && (
        <div className="value">
          <ValueView value={turn.reply} />
        </div>
      )}
      {turn?.status === "salvaged" && <Struck turn={turn} />}
    </article>
  );
});

function Struck({ turn: { problems } }: { turn: TurnItem }) {
  return (
    <ul className="struck-list">
      {problems.map(({ message }, at) => (
        <li key={at}>
          <span className="warn">struck</span> {showHidden(message)}
        </li>
      ))}
    </ul>
  );
}

const hues = 6;

/** Who speaks: a hue and a shape of their own, and their name. */
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
  const words = name.split(/[\s_-]+/).filter(Boolean);
  return (words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [name.slice(0, 1)]).join("").toUpperCase();
}
