import type { Cell, SectionOf } from "../../contract/view.ts";
import { guessLang, showHidden } from "../text/words.ts";

/** A table; wide ones scroll in their own box. */
export function SectionTable({ section }: { section: SectionOf<"table"> }) {
  const columns = section.columns.map((column) => (typeof column === "string" ? { name: column } : column));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={section.title || "table"}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} className={"numeric" in column && column.numeric ? "number" : ""} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {section.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <TableCell key={index} cell={cell} isNumeric={isNumeric(columns[index])} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableCell({ cell, isNumeric }: { cell: Cell; isNumeric: boolean }) {
  const { text, note, tone, runs } = typeof cell === "string" ? { text: cell } : cell;
  return (
    <td className={isNumeric ? "number" : ""} lang={guessLang(text)}>
      {runs === undefined ? (
        <span className={tone ?? ""}>{showHidden(text)}</span>
      ) : (
        <a href={`#cases-${runs}`} title="The runs behind this number">
          {showHidden(text)}
        </a>
      )}
      {note && <div className="faint">{note}</div>}
    </td>
  );
}

function isNumeric(column: { name: string } | undefined): boolean {
  return column !== undefined && "numeric" in column && column.numeric === true;
}
