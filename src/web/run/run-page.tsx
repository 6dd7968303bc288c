import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useRun } from "../data/follow-run.ts";
import { SectionView } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/parts.tsx";
import { guessLang, sayOutcome, showHidden, tellAge, tellDuration, tellTime } from "../text/words.ts";
import { LiveBar } from "./live-bar.tsx";
import { RunBody } from "./run-body.tsx";

/** A run on the server: the verdict and why above everything, kept up to date while it goes on. */
export default function RunPage({ id }: { id: string }) {
  const { data: detail, error, isPending, live, refetch } = useRun(id);
  if (isPending) return <Skeleton lines={10} />;
  if (error) return <Failure error={error} again={() => void refetch()} />;
  return (
    <>
      <RunHead detail={detail} said={live.said} />
      <RunBody detail={detail} live={live} verdict={<RunVerdict detail={detail} />} />
      <LiveBar id={id} />
    </>
  );
}

function RunVerdict({ detail }: { detail: RunDetail }) {
  const verdict = detail.sections.find(({ kind }) => kind === "verdict");
  if (verdict) return <SectionView section={verdict} isLead />;
  if (detail.withheld) return <p className="notice">The verdict is kept back until a reviewer has answered.</p>;
  if (detail.run.outcome === null)
    return (
      <p className="notice" role="status">
        {detail.run.status === "waiting" ? (
          <>
            This run waits for a person. <Link href={`/inbox?run=${detail.run.id}`}>Answer in the inbox</Link>
          </>
        ) : (
          `${detail.turns.length} turns so far; nothing is decided yet.`
        )}
      </p>
    );
  return <p className="notice bad">{detail.result?.reasons.join("; ")}</p>;
}

/** What the run is about, who played, what it came to, and what can be done with it. */
function RunHead({ detail, said }: { detail: RunDetail; said: string | null }) {
  const { run, result, elapsedMs } = detail;
  const { word, tone } = sayOutcome(run.status, run.outcome);
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (what: "cancelRun" | "resumeRun") =>
      what === "cancelRun"
        ? callApi(what, { params: { id: run.id }, body: {} }).then(() => undefined)
        : callApi(what, { params: { id: run.id }, body: {} }).then(() => undefined),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["run", run.id] }),
  });
  const quorum = result?.quorum;
  return (
    <div className="head">
      <div className="meta">
        <span className={`chip ${tone}`}>{word}</span>
        <span>{run.pack}</span>
        <time dateTime={run.createdAt} title={tellTime(run.createdAt)}>
          {tellAge(run.createdAt)}
        </time>
        <span>cast {run.cast}</span>
        {elapsedMs !== null && <span>{tellDuration(elapsedMs)}</span>}
        {result && <span>{result.spend.usd === null ? "price unknown" : `$${result.spend.usd.toFixed(2)}`}</span>}
        {quorum && <span>{`${quorum.answered} of ${quorum.asked} turns answered`}</span>}
        {run.live && <span className="live">live</span>}
        <span className="actions">
          {run.live && <button onClick={() => act.mutate("cancelRun")}>Stop</button>}
          {!run.live && run.status === "interrupted" && <button onClick={() => act.mutate("resumeRun")}>Resume</button>}
          {run.parent && <Link href={`/compare?a=${run.parent.run}&b=${run.id}`}>Compare with its parent</Link>}
          <a href={`/api/runs/${run.id}/export?format=html`}>HTML</a>
          <a href={`/api/runs/${run.id}/export?format=md`}>Markdown</a>
          <a href={`/api/runs/${run.id}/export?format=json`}>JSON</a>
        </span>
      </div>
      <h1 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h1>
      {said && <p className="secondary">{said}</p>}
      {act.isError && <p className="bad">{act.error.message}</p>}
    </div>
  );
}
