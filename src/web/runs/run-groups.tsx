import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { call, toQuery } from "../data/call.ts";
import { Empty, Failure, Skeleton } from "../text/states.tsx";
import { sayName } from "../text/words.ts";
import { RunCells } from "./run-line.tsx";
import { type RunQuery, states, toApiQuery } from "./run-query.ts";

const nothing: Record<string, string> = {
  outcome: "No run is like that.",
  reason: "Every run that ended came to a decision.",
  study: "No study has run here yet.",
};

/** Runs in groups: how many there are of each, the newest, and the way to all of them. */
export function RunGroupList({ query }: { query: RunQuery }) {
  const { pack, from } = toApiQuery(query) as { pack: string; from?: string };
  const asked = { by: query.group, pack, from };
  const groups = useQuery({
    queryKey: ["groups", asked],
    queryFn: () => call("groupRuns", `/api/run-groups${toQuery(asked)}`),
  });
  if (groups.isPending) return <Skeleton lines={8} />;
  if (groups.isError) return <Failure error={groups.error} again={() => void groups.refetch()} />;
  if (groups.data.groups.length === 0) return <Empty>{nothing[query.group] ?? "No run is like that."}</Empty>;
  return (
    <>
      {groups.data.note && <p className="secondary">{groups.data.note}</p>}
      {groups.data.groups.map(({ name, count, exact, query: filter, newest }) => (
        <section key={name} className="group">
          <h2>
            {states[name] ?? sayName(name)} <span className="secondary number">{countRuns(count, exact)}</span>
          </h2>
          <div role="table" aria-label={name} className="run-table">
            <div role="rowgroup">
              {newest.map((run) => (
                <div key={run.id} role="row" className="run-row">
                  <RunCells run={run} />
                </div>
              ))}
            </div>
          </div>
          {count > newest.length && <Link href={`/?${new URLSearchParams(filter)}`}>all of them</Link>}
        </section>
      ))}
    </>
  );
}

/** How many runs, in words; a count that was cut off says so. */
export function countRuns(count: number, exact: boolean): string {
  return `${exact ? "" : "over "}${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}`;
}
