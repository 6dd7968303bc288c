import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { Link, useSearchParams } from "wouter";
import type { RunItem } from "../../contract/api/index.ts";
import type { Outcome } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import { callApi } from "../../contract/api/client.ts";
import { Age, Empty, Failure, OutcomeChip, Skeleton } from "../text/parts.tsx";
import { guessLang, outcomeWords, sayName, showHidden, statusWords } from "../text/words.ts";

const { finished: _ended, ...openStatuses } = statusWords;
const states = { ...outcomeWords, ...openStatuses };

export default function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const [text, state] = [search.get("text") ?? "", search.get("state") ?? ""];
  const change = (name: string, value: string) =>
    setSearch((before) => Object.fromEntries([...before, [name, value]].filter(([, given]) => given !== "")), {
      replace: true,
    });
  const words = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change("text", words.current?.value.trim() ?? "");
  };
  return (
    <div className="runs-page">
      <header className="page-head">
        <h1>Runs</h1>
        <Link className="button primary" href="/start">
          Start a debate
        </Link>
      </header>
      <form className="filters" role="search" onSubmit={submit}>
        <input
          key={text}
          className="grow"
          type="search"
          ref={words}
          defaultValue={text}
          placeholder="Words of a case, a reply or a decision, then Enter"
          aria-label="Words of a case, a reply or a decision"
        />
        <select aria-label="State" value={state} onChange={(event) => change("state", event.target.value)}>
          <option value="">every state</option>
          {Object.entries(states).map(([name, { word }]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      </form>
      <FoundRuns text={text} state={state} />
    </div>
  );
}

function FoundRuns({ text, state }: { text: string; state: string }) {
  const asked = {
    text,
    ...(state in outcomeWords && { outcome: state as Outcome }),
    ...(state in openStatuses && { status: state as RunStatus }),
  };
  const pages = useInfiniteQuery({
    queryKey: ["runs", asked],
    initialPageParam: "",
    queryFn: ({ pageParam }) => callApi("listRuns", { query: { ...asked, after: pageParam, limit: 100 } }),
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.runs.some(({ live }) => live) ? 3_000 : false),
  });
  if (pages.isPending) return <Skeleton lines={10} />;
  if (pages.isError) return <Failure error={pages.error} again={() => void pages.refetch()} />;
  const runs = pages.data.pages.flatMap((page) => page.runs);
  const damaged = pages.data.pages.flatMap((page) => page.damaged);
  const { count, exact } = pages.data.pages[0]?.total ?? { count: 0, exact: true };
  if (runs.length === 0 && damaged.length === 0)
    return text === "" && state === "" ? (
      <Empty command='parley sentiment "The soup was good but the waiter was rude."'>
        No debate has run here yet. Start one above, or try one that needs no model and no network:
      </Empty>
    ) : (
      <Empty>
        No run matches. <Link href="/">All runs</Link>
      </Empty>
    );
  return (
    <>
      <p className="secondary" role="status">
        {`${exact ? "" : "over "}${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}`}
      </p>
      {damaged.length > 0 && (
        <p className="notice bad">{`${damaged.length} runs can no longer be read: ${damaged.slice(0, 5).join(", ")}. "parley verify" says more.`}</p>
      )}
      <div role="table" aria-label="Runs" className="run-table">
        <div role="rowgroup">
          <div role="row" className="run-row names">
            {["state", "about", "pack", "cast", "when"].map((name) => (
              <span key={name} role="columnheader" className={name}>
                {name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup">
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </div>
      </div>
      {pages.hasNextPage && (
        <button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Show more
        </button>
      )}
    </>
  );
}

function RunRow({ run }: { run: RunItem }) {
  return (
    <div role="row" className="run-row">
      <span role="cell" className="state">
        {run.live ? <span className="live">live</span> : <OutcomeChip run={run} />}
      </span>
      <span role="cell" className="about">
        <Link className="subject" href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
          {showHidden(run.subject) || run.id}
        </Link>
        {run.parent && <span className="tag">branch</span>}
      </span>
      <span role="cell" className="pack secondary">
        {sayName(run.pack)}
      </span>
      <span role="cell" className="cast secondary" title={run.cast}>
        {run.cast}
      </span>
      <span role="cell" className="when secondary">
        <Age at={run.createdAt} />
      </span>
    </div>
  );
}
