import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { tellAge, tellDuration, tellTime } from "../text/time.ts";
import { guessLang, sayOutcome, showHidden } from "../text/words.ts";

/** What the run is about, who played, what it came to, and what can be done with it. */
export function RunHead({ detail, said }: { detail: RunDetail; said: string | null }) {
  const { run, result, elapsedMs } = detail;
  const { word, tone } = sayOutcome(run.status, run.outcome);
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (what: "cancelRun" | "resumeRun") =>
      call(what, `/api/runs/${run.id}/${what === "cancelRun" ? "cancel" : "resume"}`, {}),
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
