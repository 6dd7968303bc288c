import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { call } from "../data/call.ts";
import { Sections } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/states.tsx";

/** A study: whether the debate was worth it, in words first, then the numbers and the cases behind them. */
export default function StudyPage({ name }: { name: string }) {
  const study = useQuery({
    queryKey: ["study", name],
    queryFn: () => call("readStudy", `/api/studies/${encodeURIComponent(name)}`),
    refetchInterval: ({ state }) => (state.data?.study.live ? 2_000 : false),
  });
  const flipped = useQuery({
    queryKey: ["flipped", name],
    queryFn: () => call("listFlipped", `/api/studies/${encodeURIComponent(name)}/flipped`),
  });
  if (study.isPending) return <Skeleton lines={8} />;
  if (study.isError) return <Failure error={study.error} />;
  const { progress, stopped, sections } = study.data;
  return (
    <>
      <h1>{name}</h1>
      {progress && <p className="live">{`${progress.done} of ${progress.total} runs, ${progress.failed} failed`}</p>}
      {stopped && <p className="notice">{stopped}</p>}
      <Sections sections={sections} />
      {flipped.data && flipped.data.cases.length > 0 && (
        <section className="section">
          <h2>Cases that the arms decided differently</h2>
          {flipped.data.cases.slice(0, 200).map((one) => (
            <div key={`${one.case}/${one.seed}`} className="step">
              <span>{one.case}</span>
              <span className="row">
                {one.arms.map(({ arm, run, right }) =>
                  run ? (
                    <Link key={arm} href={`/runs/${run}`} className={right ? "good" : "bad"}>
                      {`${right ? "✓" : "✗"} ${arm} `}
                    </Link>
                  ) : (
                    <span key={arm}>{`${arm} `}</span>
                  ),
                )}
              </span>
            </div>
          ))}
        </section>
      )}
    </>
  );
}
