import { useState } from "react";
import type { RunDetail } from "../../contract/api/index.ts";
import { formatCount } from "../../text/format.ts";
import type { Live } from "../data/follow-run.ts";
import { showHidden } from "../text/words.ts";
import { TurnCard, Turns } from "./turn-card.tsx";
import { type Decisive, nameSpeaker, type StoryIndex } from "./story-index.ts";

type Props = {
  detail: RunDetail;
  index: StoryIndex;
  live: Live;
  decisive: Decisive;
  at: string | null;
  onOpen: (turn: string) => void;
};

const fewStages = 4;

const manyStages = 12;
const lastShown = 6;

export function Debate({ detail, index, live, decisive, at, onOpen }: Props) {
  const items = new Map(detail.turns.map((turn) => [turn.id, turn]));
  const [isWhole, setWhole] = useState(false);
  const all = index.story.stages;
  const isShort = isWhole || all.length <= manyStages;
  const stages = all.filter(
    ({ turns }, place) =>
      isShort || place === 0 || place >= all.length - lastShown || turns.some(({ turn }) => turn === at),
  );
  return (
    <div
      className={`stages ${stages.length > fewStages ? "several" : stages.length > 1 ? "few" : "one"}`}
      tabIndex={0}
      role="region"
      aria-label="The debate"
    >
      {!isShort && (
        <button onClick={() => setWhole(true)}>{`Show all ${all.length} stages, ${stages.length} are shown`}</button>
      )}
      {stages.map(({ title, turns }, place) => (
        <section key={place} className="stage" aria-label={title}>
          <h2>
            {showHidden(title)} <span className="faint">{`· ${formatCount(turns.length, "turn")}`}</span>
          </h2>
          <Turns
            turns={turns}
            at={at}
            card={(storyTurn) => (
              <TurnCard
                key={storyTurn.turn}
                storyTurn={storyTurn}
                turn={items.get(storyTurn.turn)}
                index={index}
                decisive={decisive.get(storyTurn.turn)}
                isAt={storyTurn.turn === at}
                onOpen={onOpen}
              />
            )}
          />
        </section>
      ))}
      <Speaking live={live} index={index} />
    </div>
  );
}

function Speaking({ live, index }: { live: Live; index: StoryIndex }) {
  const speaking = Object.entries(live.speaking);
  if (speaking.length === 0) return null;
  return (
    <section className="stage" aria-live="polite" aria-label="Speaking now">
      <h2>Now</h2>
      {speaking.map(([turn, { player, text }]) => (
        <article key={turn} className="turn">
          <header>
            <span className="live" title={turn}>
              {showHidden(nameSpeaker(index, turn))}
            </span>
            <span className="secondary">{player}</span>
          </header>
          <p className="speech prose">{showHidden(text.slice(-4_000)) || "is thinking"}</p>
        </article>
      ))}
    </section>
  );
}
