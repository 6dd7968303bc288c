import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import type { ArmComparison } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { toQuery } from "../text/words.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { Differences, Part, sayTurn } from "./compare-page.tsx";

/** Two arms of a study as wholes. */
export function CompareArms({ study }: { study: string }) {
  const [search] = useSearchParams();
  const [a, b] = [search.get("a") ?? "", search.get("b") ?? ""];
  const detail = useQuery({
    queryKey: ["study", study],
    queryFn: () => callApi("readStudy", { params: { name: study } }),
    retry: false,
  });
  const compared = useQuery({
    queryKey: ["arms", study, a, b],
    queryFn: () => callApi("compareArms", { params: { name: study }, query: { a, b } }),
    enabled: a !== "" && b !== "",
    retry: false,
  });
  const error = detail.error ?? compared.error;
  return (
    <div className="compare">
      <header className="head">
        <p className="secondary">
          Study <Link href={`/studies/${study}`}>{sayName(study)}</Link>
        </p>
        <h1>Compare two arms</h1>
      </header>
      {detail.data && <ArmPicker study={study} arms={detail.data.study.arms} chosen={[a, b]} />}
      {error && <Failure error={error} />}
      {compared.isLoading && <Skeleton lines={8} />}
      {compared.data && <Compared comparison={compared.data} />}
    </div>
  );
}

function Compared({ comparison }: { comparison: ArmComparison }) {
  const { a, b, settings, measures, cases, differing, partings } = comparison;
  return (
    <>
      <div className="versus">
        <Side side="A" arm={a} />
        <Side side="B" arm={b} />
      </div>
      <p className="say" role="status">
        {sayArms(comparison)}
      </p>
      <Part title="What they were set to" count={settings.length}>
        <Differences title="What they were set to" rows={settings} />
      </Part>
      <Part title="Numbers that differ, over the cases that both have" count={measures.length}>
        <Differences
          title="Numbers that differ"
          rows={measures.map(({ name, before, after }) => ({ path: name, before: round(before), after: round(after) }))}
        />
      </Part>
      <Part title="Where their debates part" count={partings.turns.length}>
        <p className="secondary">{`The first turn that differs, in ${partings.looked} of the cases that ended otherwise.`}</p>
        <ol className="partings">
          {partings.turns.map(({ turn, count }) => (
            <li key={turn}>
              <span>{showHidden(sayTurn(turn))}</span>
              <progress value={count} max={partings.looked} aria-label={`${sayTurn(turn)}: ${count}`} />
              <span className="number">{count}</span>
            </li>
          ))}
        </ol>
      </Part>
      <Part title={`Cases that ended otherwise (${differing})`} count={cases.length}>
        <ArmCases comparison={comparison} />
        {differing > cases.length && <p className="secondary">{`and ${differing - cases.length} more`}</p>}
      </Part>
    </>
  );
}

function Side({ side, arm }: { side: "A" | "B"; arm: ArmComparison["a"] }) {
  return (
    <div>
      <p className="secondary">
        <strong>{side}</strong> {arm.kind}
      </p>
      <p className="arm-name">{arm.name}</p>
      {arm.about && <p>{showHidden(arm.about)}</p>}
      <p className="secondary">{`cast ${arm.cast}`}</p>
    </div>
  );
}

/** How two arms stand to each other, in a sentence. */
function sayArms({ a, b, cases, differing, paired }: ArmComparison): string {
  if (paired === 0) return "No case has ended in both arms yet.";
  if (differing === 0) return `${a.name} and ${b.name} ended alike on all ${paired} cases.`;
  const fixed = cases.filter((one) => one.a.right === false && one.b.right === true).length;
  const broke = cases.filter((one) => one.a.right === true && one.b.right === false).length;
  const ends = `They ended otherwise on ${differing} of ${paired} cases`;
  if (fixed + broke === 0) return `${ends}.`;
  return `${ends}; ${b.name} is right on ${fixed} that ${a.name} gets wrong, and wrong on ${broke} that it gets right.`;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

type Case = ArmComparison["cases"][number];
type End = Case["a"];

/** The cases on which two arms ended otherwise: each side leads to its run, and both to where they part. */
function ArmCases({ comparison: { a, b, cases } }: { comparison: ArmComparison }) {
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

type Props = { study: string; arms: readonly string[]; chosen: readonly [string, string] };

/** Chooses two arms of a study; the choice is in the address. */
export function ArmPicker({ study, arms, chosen: [a, b] }: Props) {
  const [, go] = useLocation();
  const show = (next: { a: string; b: string }) => go(`/compare${toQuery({ study, ...next })}`);
  return (
    <div className="arm-picker">
      <ArmChoice label="Compare" arms={arms} value={a} onChange={(arm) => show({ a: arm, b })} />
      <ArmChoice label="with" arms={arms} value={b} onChange={(arm) => show({ a, b: arm })} />
    </div>
  );
}

type ChoiceProps = { label: string; arms: readonly string[]; value: string; onChange: (arm: string) => void };

function ArmChoice({ label, arms, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {value === "" && <option value="">an arm</option>}
        {arms.map((arm) => (
          <option key={arm}>{arm}</option>
        ))}
      </select>
    </label>
  );
}
