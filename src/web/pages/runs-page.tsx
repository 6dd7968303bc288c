import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { RunItem } from "../../contract/api/index.ts";
import { call, toQuery } from "../data/call.ts";
import { Empty, Failure, Skeleton } from "../text/states.tsx";
import { tellAge, tellTime } from "../text/time.ts";
import { guessLang, sayOutcome, showHidden } from "../text/words.ts";

const filters = {
  pack: ["sentiment", "law", "question", "root-cause"],
  outcome: ["decided", "undecided", "escalated", "budget_exhausted", "failed"],
  status: ["running", "waiting", "interrupted", "finished"],
} as const;

/** Every run, newest first; what is looked for stands in the address. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const given = Object.fromEntries(search.entries());
  const [words, setWords] = useState(given.text ?? "");
  const pages = useInfiniteQuery({
    queryKey: ["runs", given],
    initialPageParam: "",
    queryFn: ({ pageParam }) => call("listRuns", `/api/runs${toQuery({ ...given, after: pageParam, limit: 50 })}`),
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const runs = pages.data?.pages.flatMap((page) => page.runs) ?? [];
  const at = useListKeys(runs);
  const set = (key: string, value: string) =>
    setSearch(Object.fromEntries(Object.entries({ ...given, [key]: value }).filter(([, one]) => one !== "")));
  const total = pages.data?.pages[0]?.total;
  return (
    <>
      <h1>Runs</h1>
      <form
        className="bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          set("text", words.trim());
        }}
      >
        <input
          className="grow"
          type="search"
          value={words}
          placeholder="Words of a case, a reply or a decision"
          aria-label="Words of a case, a reply or a decision"
          onChange={(event) => setWords(event.target.value)}
        />
        {Object.entries(filters).map(([key, values]) => (
          <select
            key={key}
            value={given[key] ?? ""}
            aria-label={key}
            onChange={(event) => set(key, event.target.value)}
          >
            <option value="">every {key}</option>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        ))}
        {total && (
          <span className="secondary">{`${total.exact ? "" : "over "}${total.count.toLocaleString("en")} runs`}</span>
        )}
      </form>
      {pages.isPending && <Skeleton lines={8} />}
      {pages.isError && <Failure error={pages.error} again={() => void pages.refetch()} />}
      {pages.data && runs.length === 0 && (
        <Empty command={Object.keys(given).length > 0 ? undefined : 'parley ask "Which planet is largest?"'}>
          {Object.keys(given).length > 0 ? "No run is like that." : "No debate has run here yet."}
        </Empty>
      )}
      {runs.length > 0 && <RunTable runs={runs} at={at} />}
      {pages.hasNextPage && (
        <div className="bar">
          <button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
            Older runs
          </button>
        </div>
      )}
    </>
  );
}

function RunTable({ runs, at }: { runs: RunItem[]; at: number }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th scope="col">what it is about</th>
          <th scope="col">outcome</th>
          <th scope="col" className="wide">
            pack
          </th>
          <th scope="col" className="wide">
            cast
          </th>
          <th scope="col">when</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, index) => (
          <RunLine key={run.id} run={run} isAt={index === at} />
        ))}
      </tbody>
    </table>
  );
}

function RunLine({ run, isAt }: { run: RunItem; isAt: boolean }) {
  const { word, tone } = sayOutcome(run.status, run.outcome);
  return (
    <tr className={isAt ? "at" : ""}>
      <td>
        <a className="subject" href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
          {showHidden(run.subject) || run.id}
        </a>
      </td>
      <td>
        <span className={`chip ${tone}`}>{word}</span>
      </td>
      <td className="wide">{run.pack}</td>
      <td className="wide secondary">{run.cast}</td>
      <td className="secondary">
        <time dateTime={run.createdAt} title={tellTime(run.createdAt)}>
          {tellAge(run.createdAt)}
        </time>
      </td>
    </tr>
  );
}

/** j and k walk the list, enter opens. */
function useListKeys(runs: RunItem[]): number {
  const [at, setAt] = useState(-1);
  const [, go] = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (/^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)) return;
      if (event.key === "j") setAt((now) => Math.min(runs.length - 1, now + 1));
      if (event.key === "k") setAt((now) => Math.max(0, now - 1));
      const run = runs[at];
      if (event.key === "Enter" && run) go(`/runs/${run.id}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [runs, at, go]);
  return at;
}
