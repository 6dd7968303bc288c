import type { TurnItem } from "../../contract/api/index.ts";
import { sayName } from "../text/words.ts";
import { ValueView } from "./value-view.tsx";

type Props = { turn: TurnItem; isAt: boolean; onOpen: (turn: string) => void };

const statusWords: Record<TurnItem["status"], string> = {
  answered: "",
  repaired: "answered after a repair",
  salvaged: "kept in part",
  abstained: "abstained",
};

/** One role's turn: what it said, in the pack's words; prompt and raw reply open at its side. */
export function TurnCard({ turn, isAt, onOpen }: Props) {
  const status = statusWords[turn.status];
  return (
    <article className={`turn ${isAt ? "at" : ""}`} id={`turn-${turn.id}`} data-turn={turn.id}>
      <header>
        <span className="who">{sayName(turn.key.role)}</span>
        <span className="secondary">{sayName(turn.key.step)}</span>
        {status !== "" && <span className={turn.status === "abstained" ? "bad" : "warn"}>{status}</span>}
        <button className="plain more" onClick={() => onOpen(turn.id)}>
          prompt and reply
        </button>
      </header>
      {turn.status === "abstained" ? (
        <p className="secondary">{turn.problems[0]?.message ?? "No usable reply came."}</p>
      ) : (
        <div className="value">
          <ValueView value={turn.reply} />
        </div>
      )}
    </article>
  );
}
