import { type ReactNode, startTransition, useEffect, useMemo, useRef, useState } from "react";
import type { RunDetail } from "../../contract/api/index.ts";
import type { ToldTurn } from "../../contract/story.ts";
import type { Live } from "../data/follow-run.ts";
import { showHidden } from "../text/words.ts";
import { TurnCard } from "./turn-card.tsx";
import { type Decisive, nameSpeaker, type StoryIndex } from "./story-index.ts";

type Props = {
  detail: RunDetail;
  index: StoryIndex;
  live: Live;
  decisive: Decisive;
  at: string | null;
  /** The only stage that is shown, for a reader who wants one at a time. */
  focus: number | null;
  find: string;
  onOpen: (turn: string) => void;
};

/** How many turns are drawn or left out together. */
const perChunk = 4;
const turnHeight = 260;
/** Up to how many stages the later ones may stand under each other, beside the first. */
const fewStages = 4;

/** The debate: stages as columns on a desktop, as a thread on a phone. */
export function Debate(props: Props) {
  const { index, live, focus, find } = props;
  const stages = index.story.stages.map((stage) => ({
    ...stage,
    turns: stage.turns.filter((told) => says(told, find)),
  }));
  const shown = stages.map((stage, at) => ({ ...stage, at })).filter(({ at }) => focus === null || at === focus);
  const found = stages.reduce((sum, { turns }) => sum + turns.length, 0);
  return (
    <>
      {find !== "" && <p className="secondary" role="status">{`${found} turns say “${find}”.`}</p>}
      <div
        className={`stages ${shown.length > fewStages ? "several" : shown.length > 1 ? "few" : "one"}`}
        tabIndex={0}
        role="region"
        aria-label="The debate"
      >
        {shown.map(({ title, turns, at }) => (
          <section key={at} className="stage" id={`stage-${at}`} aria-label={title}>
            <h2>
              {showHidden(title)} <span className="faint">{turns.length}</span>
            </h2>
            <StageTurns {...props} turns={turns} />
          </section>
        ))}
        <Speaking live={live} index={index} />
      </div>
    </>
  );
}

function StageTurns({
  turns,
  detail,
  index,
  decisive,
  at,
  onOpen,
}: Omit<Props, "live" | "focus" | "find"> & { turns: ToldTurn[] }) {
  const items = useMemo(() => new Map(detail.turns.map((turn) => [turn.id, turn])), [detail.turns]);
  const chunks = Array.from({ length: Math.ceil(turns.length / perChunk) }, (_, chunk) =>
    turns.slice(chunk * perChunk, (chunk + 1) * perChunk),
  );
  return chunks.map((chunk, place) => (
    <Near key={place} height={chunk.length * turnHeight} isForced={chunk.some(({ turn }) => turn === at)}>
      {chunk.map((told) => (
        <TurnCard
          key={told.turn}
          told={told}
          turn={items.get(told.turn)}
          index={index}
          decisive={decisive.get(told.turn)}
          isAt={told.turn === at}
          onOpen={onOpen}
        />
      ))}
    </Near>
  ));
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

function says({ speaker, says: words, points }: ToldTurn, find: string): boolean {
  if (find === "") return true;
  const wanted = find.toLowerCase();
  return [speaker, words, ...points.flatMap(({ name, text }) => [name, text])].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

type NearProps = { children: ReactNode; height: number; isForced: boolean };

/** Draws its children once they are near the window, and keeps their place while they are not; paper gets everything. */
function Near({ children, height, isForced }: NearProps) {
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef(height);
  const [isNear, setNear] = useState(isForced);
  const isShown = isNear || isForced;
  useEffect(() => {
    const watch = ([entry]: IntersectionObserverEntry[]) => {
      if (!entry) return;
      if (entry.boundingClientRect.height > 0) kept.current = entry.boundingClientRect.height;
      startTransition(() => setNear(entry.isIntersecting));
    };
    const watcher = new IntersectionObserver(watch, { rootMargin: "900px 500px" });
    if (box.current) watcher.observe(box.current);
    const all = () => setNear(true);
    window.addEventListener("beforeprint", all);
    return () => {
      watcher.disconnect();
      window.removeEventListener("beforeprint", all);
    };
  }, []);
  return (
    <div ref={box} className="near" style={isShown ? undefined : { minHeight: kept.current }}>
      {isShown && children}
    </div>
  );
}
