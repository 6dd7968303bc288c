import type { PositionItem } from "../../contract/api/index.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";

type Row = { role: string; item: string; cells: (PositionItem | undefined)[] };

/** One row a speaker, one cell a round: where a mind changed, the cell says so and leads to what was said. */
export function MindStrip({ positions }: { positions: readonly PositionItem[] }) {
  const rounds = [...new Set(positions.map(({ round }) => round))].sort((a, b) => a - b);
  const rows = listRows(positions, rounds);
  if (rows.length === 0) return null;
  const isSeveral = rows.some(({ item }) => item !== "");
  const flips = countFlips(rows);
  return (
    <section className="section" aria-label="Who stood where">
      <h2>Who stood where</h2>
      <p className="secondary">
        {flips === 0
          ? "Nobody changed position."
          : `${flips} ${flips === 1 ? "change" : "changes"} of position, marked.`}
      </p>
      <div className="scroll" tabIndex={0} role="region" aria-label="Positions by round">
        <table className="strip">
          <thead>
            <tr>
              <th scope="col">speaker</th>
              {isSeveral && <th scope="col">about</th>}
              {rounds.map((round) => (
                <th key={round} scope="col">
                  round {round}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ role, item, cells }) => (
              <tr key={`${role}/${item}`}>
                <th scope="row">{sayName(role)}</th>
                {isSeveral && <td lang={guessLang(item)}>{showHidden(item)}</td>}
                {cells.map((cell, at) => (
                  <td key={rounds[at]}>{cell && <StripCell cell={cell} isFlip={isFlip(cells, at)} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function StripCell({ cell, isFlip: flipped }: { cell: PositionItem; isFlip: boolean }) {
  return (
    <a className={`cell ${flipped ? "flip" : ""}`} href={`#round-${cell.round}`} title={cell.answer}>
      {flipped ? "↻ " : ""}
      <span lang={guessLang(cell.answer)}>{showHidden(cell.answer)}</span>
    </a>
  );
}

function listRows(positions: readonly PositionItem[], rounds: number[]): Row[] {
  const rows = new Map<string, Row>();
  for (const position of positions) {
    const item = position.item ?? "";
    const key = `${position.role}\n${item}`;
    const row = rows.get(key) ?? { role: position.role, item, cells: rounds.map(() => undefined) };
    row.cells[rounds.indexOf(position.round)] = position;
    rows.set(key, row);
  }
  return [...rows.values()];
}

function isFlip(cells: Row["cells"], at: number): boolean {
  const before = cells.slice(0, at).findLast((cell) => cell !== undefined);
  return before !== undefined && cells[at] !== undefined && before.answer !== cells[at].answer;
}

function countFlips(rows: Row[]): number {
  return rows.reduce((sum, { cells }) => sum + cells.filter((_, at) => isFlip(cells, at)).length, 0);
}
