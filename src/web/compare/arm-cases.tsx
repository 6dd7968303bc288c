import { Link } from "wouter";
import type { ArmComparison } from "../../contract/api/index.ts";
import { toQuery } from "../data/call.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";

type Case = ArmComparison["cases"][number];
type End = Case["a"];

/** The cases on which two arms ended otherwise: each side leads to its run, and both to where they part. */
export function ArmCases({ comparison: { a, b, cases } }: { comparison: ArmComparison }) {
  const hasSeeds = new Set(cases.map(({ seed }) => seed)).size > 1;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Cases that ended otherwise">
      <table className="arm-cases">
        <thead>
          <tr>
            <th scope="col">case</th>
            <th scope="col">{`A ${a.name}`}</th>
            <th scope="col">{`B ${b.name}`}</th>
            <th scope="col">where they part</th>
          </tr>
        </thead>
        <tbody>
          {cases.map((one, at) => (
            <tr key={`${one.case}/${one.seed}`}>
              <th scope="row">
                {showHidden(one.case)}
                {hasSeeds && <span className="faint">{` seed ${one.seed}`}</span>}
                {at === 0 && <span className="here">the first</span>}
              </th>
              <EndCell end={one.a} other={one.b} lines={one.headline.map(({ name, before }) => [name, before])} />
              <EndCell end={one.b} other={one.a} lines={one.headline.map(({ name, after }) => [name, after])} />
              <td>
                {one.a.run && one.b.run && one.a.run !== one.b.run ? (
                  <Link href={`/compare${toQuery({ a: one.a.run, b: one.b.run })}`}>compare the runs</Link>
                ) : (
                  <span className="faint">–</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EndCell({ end, other, lines }: { end: End; other: End; lines: [string, string][] }) {
  const tone = end.right === null ? "neutral" : end.right ? "good" : "bad";
  const word = end.right === null ? sayName(end.outcome) : end.right ? "right" : "wrong";
  const ended = end.right !== null && end.outcome !== other.outcome ? `, ${sayName(end.outcome)}` : "";
  const score = end.score === null || end.score === 0 || end.score === 1 ? "" : ` ${end.score.toFixed(2)}`;
  const said = <span className={`chip ${tone}`}>{`${word}${score}${ended}`}</span>;
  return (
    <td>
      {end.run ? <Link href={`/runs/${end.run}`}>{said}</Link> : said}
      {lines.map(([name, text]) => (
        <p key={name}>
          <span className="key">{sayName(name)}</span> <span lang={guessLang(text)}>{showHidden(text)}</span>
        </p>
      ))}
    </td>
  );
}
