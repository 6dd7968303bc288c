import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { Comparison } from "../../contract/api/index.ts";
import { call, toQuery } from "../data/call.ts";
import { ValueView } from "../text/value-view.tsx";
import { Empty, Failure, Skeleton } from "../text/states.tsx";
import { sayName, showHidden } from "../text/words.ts";

/** Two runs side by side: only what differs, the first divergence first. */
export default function ComparePage() {
  const [search] = useSearchParams();
  const [a, b] = [search.get("a") ?? "", search.get("b") ?? ""];
  const compared = useQuery({
    queryKey: ["compare", a, b],
    queryFn: () => call("compareRuns", `/api/compare${toQuery({ a, b })}`),
    enabled: a !== "" && b !== "",
  });
  if (a === "" || b === "") return <Empty command="/compare?a=RUN&b=RUN">Name two runs in the address.</Empty>;
  if (compared.isPending) return <Skeleton lines={8} />;
  if (compared.isError) return <Failure error={compared.error} />;
  return <Compared comparison={compared.data} />;
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { a, b, same, headline, start, turns, rules } = comparison;
  const [first] = turns;
  return (
    <>
      <h1>Compare</h1>
      <div className="bar">
        <Link href={`/runs/${a.id}`}>{`A: ${a.cast}`}</Link>
        <Link href={`/runs/${b.id}`}>{`B: ${b.cast}`}</Link>
      </div>
      <p className="notice" role="status">
        {same
          ? "The two runs are the same."
          : headline.length === 0
            ? "They decided the same."
            : "They decided otherwise:"}
      </p>
      <Differences
        title="Decision"
        rows={headline.map(({ name, before, after }) => ({ path: sayName(name), before, after }))}
      />
      <Differences title="Started with" rows={start} />
      {first && <p>{`First divergence: ${first.turn} (${sayName(first.change)})`}</p>}
      {turns.map((turn) => (
        <Differences key={turn.turn} title={`${turn.turn}: ${sayName(turn.change)}`} rows={turn.reply} />
      ))}
      {rules.map((rule, at) => (
        <Differences key={at} title={`${sayName(rule.rule)} ${rule.about}: ${rule.change}`} rows={rule.differences} />
      ))}
    </>
  );
}

type Row = { path: string; before?: unknown; after?: unknown };

function Differences({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="section">
      <h2>{title}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 60).map(({ path, before, after }) => (
              <tr key={path}>
                <td>{showHidden(path)}</td>
                <td>
                  <ValueView value={before} />
                </td>
                <td>
                  <ValueView value={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 60 && <p className="secondary">{`and ${rows.length - 60} more differences`}</p>}
    </section>
  );
}
