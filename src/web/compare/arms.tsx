import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { ArmComparison } from "../../contract/api/index.ts";
import { call, toQuery } from "../data/call.ts";
import { Failure, Skeleton } from "../text/states.tsx";
import { sayName, showHidden } from "../text/words.ts";
import { ArmCases } from "./arm-cases.tsx";
import { ArmPicker } from "./arm-picker.tsx";
import { Differences, Part, sayTurn } from "./differences.tsx";

/** Two arms of a study as wholes. */
export function CompareArms({ study }: { study: string }) {
  const [search] = useSearchParams();
  const [a, b] = [search.get("a") ?? "", search.get("b") ?? ""];
  const detail = useQuery({
    queryKey: ["study", study],
    queryFn: () => call("readStudy", `/api/studies/${encodeURIComponent(study)}`),
    retry: false,
  });
  const compared = useQuery({
    queryKey: ["arms", study, a, b],
    queryFn: () => call("compareArms", `/api/studies/${encodeURIComponent(study)}/arms${toQuery({ a, b })}`),
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
