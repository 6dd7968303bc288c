import type { SectionOf } from "../../contract/view.ts";
import { showHidden } from "../text/words.ts";

const mostListed = 100;

/** The runs behind the numbers of a study. */
export function Runs({ section: { rows } }: { section: SectionOf<"runs"> }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Runs">
      <table>
        <thead>
          <tr>
            {["run", "arm", "case", "seed", "outcome", "score", ""].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostListed).map((row, at) => (
            <tr key={at}>
              <td>{row.run === null ? "–" : <a href={`/runs/${row.run}`}>{row.run}</a>}</td>
              <td>{showHidden(row.arm)}</td>
              <td>{showHidden(row.case)}</td>
              <td className="number">{row.seed}</td>
              <td>{row.outcome.replaceAll("_", " ")}</td>
              <td className="number">{row.score === null ? "–" : (row.score * 100).toFixed(1)}</td>
              <td className={row.right ? "good" : "bad"}>{row.right === null ? "" : row.right ? "right" : "wrong"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostListed && (
        <p className="secondary">{`${rows.length - mostListed} more runs are not listed here.`}</p>
      )}
    </div>
  );
}
