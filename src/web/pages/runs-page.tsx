import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link } from "wouter";
import { call, toQuery } from "../data/call.ts";
import { FilterBar } from "../runs/filter-bar.tsx";
import { RunList } from "../runs/run-list.tsx";
import { countRuns, RunGroupList } from "../runs/run-groups.tsx";
import { isPlain, type RunQuery, toApiQuery, useRunQuery, writeQuery } from "../runs/run-query.ts";
import { ViewBar } from "../runs/view-bar.tsx";
import { Empty, Failure, Skeleton } from "../text/states.tsx";

/** Every run, newest first; what is looked for stands in the address. */
export function RunsPage() {
  const [query, change] = useRunQuery();
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => call("listPacks", "/api/packs"), staleTime: Infinity });
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
    queryFn: ({ pageParam }) => call("listRuns", `/api/runs${toQuery({ ...asked, after: pageParam, limit: 200 })}`),
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
