import type { RunDetail } from "../../contract/api/index.ts";
import { ValueView } from "../text/value-view.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";

type TurnItem = RunDetail["turns"][number];

/** What each speaker said last, side by side, with where it stood. */
export function Sides({ detail, words }: { detail: RunDetail; words: Record<string, string> }) {
  const spoken = detail.turns.filter(({ status, reply }) => status !== "abstained" && reply !== null);
  const last = [...Map.groupBy(spoken, ({ key }) => key.role).values()].flatMap((turns) => turns.at(-1) ?? []);
  if (last.length === 0) return <p className="secondary">Nobody has spoken yet.</p>;
  return (
    <div className="sides">
      {last.map((turn) => (
        <Side key={turn.id} turn={turn} stand={findStand(detail, turn.key.role)} words={words} />
      ))}
    </div>
  );
}

type SideProps = { turn: TurnItem; stand: string | null; words: Record<string, string> };

function Side({ turn, stand, words }: SideProps) {
  const lead = findLead(turn.reply);
  return (
    <article>
      <h3>
        {words[turn.key.role] ?? sayName(turn.key.role)} <span className="secondary">{turn.player}</span>
      </h3>
      {stand && (
        <p className="stand" lang={guessLang(stand)}>
          {showHidden(words[stand] ?? stand)}
        </p>
      )}
      {lead && lead !== stand && (
        <p className="lead" lang={guessLang(lead)}>
          {showHidden(lead)}
        </p>
      )}
      <details>
        <summary>all of it</summary>
        <div className="value">
          <ValueView value={turn.reply} />
        </div>
      </details>
    </article>
  );
}

function findStand({ positions }: RunDetail, role: string): string | null {
  return positions.findLast((position) => position.role === role && position.item === undefined)?.answer ?? null;
}

/** The first sentence or so that says something: the reply's own longest text near its top. */
function findLead(reply: unknown): string | null {
  if (typeof reply !== "object" || reply === null) return null;
  const own = Object.values(reply).filter((value) => typeof value === "string");
  const inner = Object.values(reply).flatMap((value) =>
    Array.isArray(value) ? value.slice(0, 1).flatMap((item: unknown) => listTexts(item)) : [],
  );
  const best = [...own, ...inner].toSorted((a, b) => b.length - a.length)[0] ?? null;
  return best === null || best.length < 12 ? null : best.length > 420 ? `${best.slice(0, 420)}…` : best;
}

function listTexts(item: unknown): string[] {
  if (typeof item === "string") return [item];
  return typeof item === "object" && item !== null
    ? Object.values(item).filter((value): value is string => typeof value === "string")
    : [];
}
