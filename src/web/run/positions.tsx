import { useMemo, useState } from "react";
import type { PositionItem } from "../../contract/story.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { type Decisive, listAnswered, nameRole, type StoryIndex } from "./story-index.ts";

type Row = { role: string; cells: (PositionItem | undefined)[] };
type Props = {
  positions: readonly PositionItem[];
  index: StoryIndex;
  decisive: Decisive;
  onGo: (turn: string) => void;
};

/** One row a speaker, one cell a round: where a mind changed, the cell says so and leads to what it answers. */
export function MindStrip({ positions, index, decisive, onGo }: Props) {
  const [isWhole, setWhole] = useState(false);
  const some = useMemo(() => {
    const rounds = new Set(pickRounds(positions, isWhole ? Infinity : undefined));
    return positions.filter(({ round }) => rounds.has(round));
  }, [positions, isWhole]);
  if (positions.length === 0) return null;
  const isSeveral = positions.some(({ item }) => item !== undefined);
  return (
    <section className="section" aria-label="Who stood where">
      <div className="section-head">
        <h2>Who stood where</h2>
        <p className="secondary">{sayChanges(positions)}</p>
        {(isWhole || some.length < positions.length) && (
          <button className="plain small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Only where something changed" : "All rounds"}
          </button>
        )}
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label="Positions by round">
        {isSeveral ? (
          <ItemStrip positions={some} index={index} decisive={decisive} onGo={onGo} />
        ) : (
          <SpeakerStrip positions={some} index={index} decisive={decisive} onGo={onGo} />
        )}
      </div>
    </section>
  );
}

function SpeakerStrip({ positions, index, decisive, onGo }: Props) {
  const rounds = [...new Set(positions.map(({ round }) => round))].sort((a, b) => a - b);
  const rows = listRows(positions, rounds);
  const answers = [...new Set(positions.map(({ answer }) => answer))];
  return (
    <table className="strip">
      <thead>
        <tr>
          <th scope="col">speaker</th>
          {rounds.map((round) => (
            <th key={round} scope="col">
              {round === 0 ? "before" : `round ${round}`}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ role, cells }) => (
          <tr key={role}>
            <th scope="row">{nameRole(positions, index, role)}</th>
            {cells.map((cell, at) => (
              <td key={rounds[at]}>
                {cell && (
                  <StripCell
                    cell={cell}
                    before={findBefore(cells, at)}
                    look={answers.indexOf(cell.answer) % 6}
                    index={index}
                    decisive={cell.turn === undefined ? undefined : decisive.get(cell.turn)}
                    onGo={onGo}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type CellProps = {
  cell: PositionItem;
  before: PositionItem | undefined;
  look: number;
  index: StoryIndex;
  decisive: string | undefined;
  onGo: (turn: string) => void;
};

function StripCell({ cell, before, look, index, decisive, onGo }: CellProps) {
  const { answer, turn, right } = cell;
  const flipped = before !== undefined && before.answer !== answer;
  const [answered] = flipped && turn ? listAnswered(index, turn) : [];
  const label = `${showHidden(answer) || "no answer"}${flipped ? `, changed from ${showHidden(before.answer)}` : ""}${decisive === undefined ? "" : `; decisive, ${showHidden(decisive)}`}`;
  return (
    <span className={`cell look-${look} ${flipped ? "flip" : ""}`}>
      <button className="plain" disabled={!turn} title={label} aria-label={label} onClick={() => turn && onGo(turn)}>
        {flipped && <span aria-hidden="true">↻ </span>}
        {decisive !== undefined && <span aria-hidden="true">◆ </span>}
        <span lang={guessLang(answer)}>{showHidden(answer) || "no answer"}</span>
        {right !== undefined && <span className={right ? "good" : "bad"}>{right ? " ✓ right" : " ✗ wrong"}</span>}
      </button>
      {answered && (
        <button className="plain why-flip" onClick={() => onGo(answered)}>
          {`after ${showHidden(sayName(index.turns.get(answered)?.told.speaker ?? answered))}`}
        </button>
      )}
    </span>
  );
}

function listRows(positions: readonly PositionItem[], rounds: number[]): Row[] {
  const rows = new Map<string, Row>();
  for (const position of positions) {
    const row = rows.get(position.role) ?? { role: position.role, cells: rounds.map(() => undefined) };
    row.cells[rounds.indexOf(position.round)] = position;
    rows.set(position.role, row);
  }
  return [...rows.values()];
}

function findBefore(cells: Row["cells"], at: number): PositionItem | undefined {
  return cells.slice(0, at).findLast((cell) => cell !== undefined);
}

/** How often somebody left a position that they had taken on the same question. */
function sayChanges(positions: readonly PositionItem[]): string {
  const lanes = Map.groupBy(positions, ({ role, item = "" }) => `${role}\n${item}`);
  const flips = [...lanes.values()].flatMap((lane) =>
    lane.toSorted((a, b) => a.round - b.round).filter((one, at, all) => at > 0 && all[at - 1]?.answer !== one.answer),
  ).length;
  if (flips === 0) return "Nobody changed position.";
  return `${flips} ${flips === 1 ? "change" : "changes"} of position, marked ↻.`;
}

type Column = { role: string; round: number };

/** A case with several questions: a row for each, and a cell for everyone who took a position, in the order in which they spoke. */
function ItemStrip({ positions, index, decisive, onGo }: Props) {
  const items = [...new Set(positions.map(({ item = "" }) => item))];
  const keys = [...new Map(positions.map(({ role, round }) => [`${round}/${role}`, { role, round }])).values()];
  const columns = keys.toSorted((a, b) => a.round - b.round);
  const answers = [...new Set(positions.map(({ answer }) => answer))];
  return (
    <table className="strip">
      <thead>
        <tr>
          <th scope="col">about</th>
          {columns.map(({ role, round }) => (
            <th key={`${round}/${role}`} scope="col" title={round === 0 ? "before the debate" : `round ${round}`}>
              {nameRole(positions, index, role)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item}>
            <th scope="row" lang={guessLang(item)}>
              {showHidden(item || "(implicit)")}
            </th>
            {columns.map((column, at) => (
              <td key={`${column.round}/${column.role}`}>
                <ItemCell
                  cells={columns.map((one) => findCell(positions, item, one))}
                  at={at}
                  answers={answers}
                  decisive={decisive}
                  onGo={onGo}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ItemCellProps = {
  cells: (PositionItem | undefined)[];
  at: number;
  answers: string[];
  decisive: Decisive;
  onGo: Props["onGo"];
};

function ItemCell({ cells, at, answers, decisive, onGo }: ItemCellProps) {
  const cell = cells[at];
  if (!cell) return <span className="faint">–</span>;
  const before = cells.slice(0, at).findLast((one) => one !== undefined);
  const differs = before !== undefined && before.answer !== cell.answer;
  const { answer, turn, right } = cell;
  const hangs = turn === undefined ? undefined : decisive.get(turn);
  return (
    <span className={`cell look-${answers.indexOf(answer) % 6} ${differs ? "flip" : ""}`}>
      <button className="plain" disabled={!turn} onClick={() => turn && onGo(turn)}>
        {differs && <span aria-label={`not ${before.answer}`}>↻ </span>}
        {hangs !== undefined && (
          <span role="img" aria-label="decisive turn" title={hangs}>
            ◆{" "}
          </span>
        )}
        {showHidden(answer)}
        {right !== undefined && <span className={right ? "good" : "bad"}>{right ? " ✓ right" : " ✗ wrong"}</span>}
      </button>
    </span>
  );
}

function findCell(positions: readonly PositionItem[], item: string, { role, round }: Column): PositionItem | undefined {
  return positions.find((one) => (one.item ?? "") === item && one.role === role && one.round === round);
}

/** How many rounds of a long debate are shown until a reader asks for all. */
const mostRounds = 24;
const first = 2;
const last = 4;

/** The rounds to show of a long debate: its beginning, its end, and as many as there is room for in which a mind changed. */
export function pickRounds(positions: readonly PositionItem[], most = mostRounds): number[] {
  const rounds = [...new Set(positions.map(({ round }) => round))].sort((a, b) => a - b);
  if (rounds.length <= most) return rounds;
  const ends = new Set([...rounds.slice(0, first), ...rounds.slice(-last)]);
  const changed = listChanged(positions).filter((round) => !ends.has(round));
  return [...ends, ...changed.slice(0, most - ends.size)].sort((a, b) => a - b);
}

/** The rounds in which somebody left the position of their last one. */
function listChanged(positions: readonly PositionItem[]): number[] {
  const lanes = Map.groupBy(positions, ({ role, item = "" }) => `${role}\n${item}`);
  const changed = [...lanes.values()].flatMap((lane) =>
    lane
      .toSorted((a, b) => a.round - b.round)
      .filter((one, at, all) => at > 0 && all[at - 1]?.answer !== one.answer)
      .map(({ round }) => round),
  );
  return [...new Set(changed)].sort((a, b) => a - b);
}
