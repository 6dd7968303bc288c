import type { RunDetail } from "../../contract/api/index.ts";
import type { Live } from "../data/follow-run.ts";
import { showHidden } from "../text/words.ts";
import { TurnCard } from "./turn-card.tsx";

type Props = { detail: RunDetail; live: Live; at: string | null; onOpen: (turn: string) => void };

/** The debate: rounds as columns on a desktop, as a thread on a phone. */
export function Debate({ detail, live, at, onOpen }: Props) {
  const rounds = [...new Set(detail.turns.map(({ key }) => key.round))].sort((a, b) => a - b);
  const speaking = Object.entries(live.speaking);
  return (
    <div className={`rounds ${rounds.length > 1 ? "wide" : ""}`}>
      {rounds.map((round) => (
        <section key={round} id={`round-${round}`} aria-label={nameRound(round)}>
          <h2>{nameRound(round)}</h2>
          {detail.turns
            .filter(({ key }) => key.round === round)
            .map((turn) => (
              <TurnCard key={turn.id} turn={turn} isAt={turn.id === at} onOpen={onOpen} />
            ))}
        </section>
      ))}
      {speaking.length > 0 && (
        <section aria-live="polite" aria-label="Speaking now">
          <h2>Now</h2>
          {speaking.map(([turn, { player, text }]) => (
            <article key={turn} className="turn">
              <header>
                <span className="live">{turn}</span>
                <span className="secondary">{player}</span>
              </header>
              <p className="speech prose">{showHidden(text.slice(-4_000)) || "is thinking"}</p>
            </article>
          ))}
        </section>
      )}
    </div>
  );
}

function nameRound(round: number): string {
  return round === 0 ? "Before the debate" : `Round ${round}`;
}
