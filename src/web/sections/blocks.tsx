import { useIsStatic, useWords } from "../text/page-context.tsx";
import { cellOf, columnOf } from "../../contract/section-parts.ts";
import type { Cell, SectionOf } from "../../contract/view.ts";
import { Track } from "../text/parts.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";

export function SectionTable({ section }: { section: SectionOf<"table"> }) {
  const columns = section.columns.map(columnOf);
  const label = section.title || section.note || columns.map(({ name }) => name).join(", ") || "table";
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={showHidden(label)}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, numeric, hint }, at) =>
              name === "" ? (
                <td key={at} />
              ) : (
                <th key={at} className={numeric ? "number" : ""} scope="col" title={hint}>
                  {showHidden(name)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {section.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <TableCell key={index} cell={cell} isNumeric={columns[index]?.numeric ?? false} isHead={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableCell({ cell, isNumeric, isHead }: { cell: Cell; isNumeric: boolean; isHead: boolean }) {
  const { groups } = useWords();
  const isStatic = useIsStatic();
  const { text, note, tag, tone, run, share } = cellOf(cell);
  const said = <span className={tone ?? ""}>{showHidden(text)}</span>;
  const Tag = isHead ? "th" : "td";
  return (
    <Tag className={isNumeric ? "number" : ""} lang={guessLang(text)} scope={isHead ? "row" : undefined}>
      {run === undefined || isStatic ? said : <a href={`/runs/${run}`}>{said}</a>}
      {tag && <span className={`group-tag ${tag}`}>{groups[tag]}</span>}
      {share !== undefined && <Track share={share} />}
      {note && <div className="faint">{showHidden(note)}</div>}
    </Tag>
  );
}

export function Steps({ section }: { section: SectionOf<"steps"> }) {
  return (
    <ol className="steps">
      {section.steps.map((step, at) => (
        <li key={at} className={`step ${step.tone ?? ""}`}>
          <span className="step-label">{showHidden(sayName(step.label))}</span>
          <div>
            {step.outcome !== "" && <strong className={step.tone ?? ""}>{showHidden(sayName(step.outcome))}</strong>}
            {step.detail !== "" && <p className="detail">{showHidden(step.detail)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
