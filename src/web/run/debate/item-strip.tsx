import type { PositionItem } from "../../../contract/story.ts";
import type { Decisive } from "./decisive.ts";
import { guessLang, showHidden } from "../../text/words.ts";
import { nameRole, type StoryIndex } from "./story-index.ts";

type Props = {
  positions: readonly PositionItem[];
  index: StoryIndex;
  decisive: Decisive;
  onGo: (turn: string) => void;
};
type Column = { role: string; round: number };

/** A case with several questions: a row for each, and a cell for everyone who took a position, in the order in which they spoke. */
export function ItemStrip({ positions, index, decisive, onGo }: Props) {
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

type CellProps = {
  cells: (PositionItem | undefined)[];
  at: number;
  answers: string[];
  decisive: Decisive;
  onGo: Props["onGo"];
};

function ItemCell({ cells, at, answers, decisive, onGo }: CellProps) {
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
