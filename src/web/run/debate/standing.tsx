import type { Standing } from "../../../contract/story.ts";
import { showHidden } from "../../text/words.ts";

/** A sign beside the colour of each standing, and the word for it. */
export const standings: Record<Standing, { sign: string; word: string; tone: string }> = {
  stands: { sign: "●", word: "stands", tone: "good" },
  contested: { sign: "◐", word: "contested", tone: "warn" },
  conceded: { sign: "↺", word: "conceded", tone: "bad" },
  dropped: { sign: "○", word: "dropped", tone: "neutral" },
};

/** What became of a point: a sign, a colour and the pack's word. */
export function StandingMark({ standing, status, why }: { standing: Standing; status?: string; why?: string }) {
  const { sign, word, tone } = standings[standing];
  return (
    <span className={`standing ${tone}`} title={why ?? word}>
      <span aria-hidden="true">{sign}</span> {showHidden(status ?? word)}
    </span>
  );
}
