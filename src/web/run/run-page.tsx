import { Link } from "wouter";
import type { RunDetail } from "../../contract/api/index.ts";
import { useRun } from "../data/follow-run.ts";
import { LiveBar } from "../live/live-bar.tsx";
import { SectionView } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/states.tsx";
import { RunBody } from "./run-body.tsx";
import { RunHead } from "./run-head.tsx";

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
  if (verdict) return <SectionView section={verdict} />;
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
