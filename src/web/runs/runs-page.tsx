import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link } from "wouter";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";
import { FilterBar, ViewBar } from "./filter-bar.tsx";
import { RunCells, RunList } from "./run-list.tsx";
import { isPlain, type RunQuery, states, toApiQuery, useRunQuery, writeQuery } from "./run-query.ts";

/** Every run, newest first; what is looked for stands in the address. */
export default function RunsPage() {
  const [query, change] = useRunQuery();
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => callApi("listPacks", {}), staleTime: Infinity });
  return (
    <div className="runs-page">
      <header className="page-head">
        <h1>Runs</h1>
        <Link className="button primary" href="/start">
          Start a debate
        </Link>
      </header>
      <FilterBar query={query} packs={packs.data?.packs.map(({ name }) => name) ?? []} onChange={change} />
      <ViewBar search={writeQuery(query).toString()} isPlain={isPlain(query) && query.group === ""} />
      {query.group === "" ? <FoundRuns query={query} /> : <RunGroupList query={query} />}
    </div>
  );
}

function FoundRuns({ query }: { query: RunQuery }) {
  const asked = toApiQuery(query);
  const pages = useInfiniteQuery({
    queryKey: ["runs", asked],
    initialPageParam: "",
    queryFn: ({ pageParam }) => callApi("listRuns", { query: { ...asked, after: pageParam, limit: 200 } }),
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.runs.some(({ live }) => live) ? 3_000 : false),
  });
  const { fetchNextPage, isFetchingNextPage } = pages;
  const runs = useMemo(() => pages.data?.pages.flatMap((page) => page.runs) ?? [], [pages.data]);
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  if (pages.isPending) return <Skeleton lines={10} />;
  if (pages.isError) return <Failure error={pages.error} again={() => void pages.refetch()} />;
  const [first] = pages.data.pages;
  const damaged = pages.data.pages.flatMap((page) => page.damaged);
  if (runs.length === 0 && damaged.length === 0) return <NoRuns query={query} />;
  return (
    <>
      <p className="list-note secondary" role="status">
        <span>{first && countRuns(first.total.count, first.total.exact)}</span>
        <span className="keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>enter</kbd> open, <kbd>x</kbd> mark two to compare, <kbd>/</kbd> search
        </span>
      </p>
      {damaged.length > 0 && (
        <p className="notice bad">{`${damaged.length} runs can no longer be read: ${damaged.slice(0, 5).join(", ")}. "parley verify" says more.`}</p>
      )}
      <RunList runs={runs} hasMore={pages.hasNextPage} total={first?.total.count ?? runs.length} onMore={more} />
    </>
  );
}

function NoRuns({ query }: { query: RunQuery }) {
  if (isPlain(query))
    return (
      <Empty command='parley ask "Which planet is largest?"'>No debate has run here yet. Start one above, or:</Empty>
    );
  return (
    <Empty>
      No run is like that. <Link href="/">All runs</Link>
    </Empty>
  );
}

const nothing: Record<string, string> = {
  outcome: "No run is like that.",
  reason: "Every run that ended came to a decision.",
  study: "No study has run here yet.",
};

/** Runs in groups: how many there are of each, the newest, and the way to all of them. */
function RunGroupList({ query }: { query: RunQuery }) {
  const { pack, from } = toApiQuery(query) as { pack: string; from?: string };
  const asked = { by: query.group as "outcome" | "reason" | "study", pack, from };
  const groups = useQuery({
    queryKey: ["groups", asked],
    queryFn: () => callApi("groupRuns", { query: asked }),
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
function countRuns(count: number, exact: boolean): string {
  return `${exact ? "" : "over "}${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}`;
}
