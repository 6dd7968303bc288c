import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { StudyDetail } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { Failure } from "../text/states.tsx";

/** How far a study is while it runs, what it has cost, and how to stop it. */
export function StudyProgress({ detail }: { detail: StudyDetail }) {
  const queries = useQueryClient();
  const { study, progress, stopped } = detail;
  const act = useMutation({
    mutationFn: () =>
      study.live
        ? call("cancelStudy", `/api/studies/${study.name}/cancel`, {}).then(() => undefined)
        : call("startStudy", "/api/studies", { name: study.name }).then(() => undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: ["study", study.name] }),
  });
  if (!study.live && study.runs >= study.planned && stopped === null) return null;
  const done = progress?.done ?? study.runs;
  const total = progress?.total ?? study.planned;
  return (
    <div className="progress" role="status">
      <div className="page-head">
        <span className={study.live ? "live" : "secondary"}>
          {`${done.toLocaleString("en")} of ${total.toLocaleString("en")} runs`}
          {progress && progress.failed > 0 && `, ${progress.failed} failed`}
          {progress && progress.tokens > 0 && `, ${progress.tokens.toLocaleString("en")} tokens`}
          {progress?.costUsd ? `, $${progress.costUsd.toFixed(2)}` : ""}
        </span>
        <button onClick={() => act.mutate()} disabled={act.isPending}>
          {study.live ? "Stop; what is done is kept" : "Go on"}
        </button>
      </div>
      <progress value={done} max={Math.max(1, total)} aria-label="How far the study is" />
      {stopped && <p className="warn">{`It stopped: ${stopped}`}</p>}
      {act.isError && <Failure error={act.error} />}
    </div>
  );
}
