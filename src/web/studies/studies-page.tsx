import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { StudyItem, StudyList } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";

/** Studies that ran here, and those that come with Parley. */
export default function StudiesPage() {
  const studies = useQuery({
    queryKey: ["studies"],
    queryFn: () => callApi("listStudies", {}),
    refetchInterval: ({ state }) => (state.data?.ran.some(({ live }) => live) ? 3_000 : false),
  });
  if (studies.isPending) return <Skeleton lines={6} />;
  if (studies.isError) return <Failure error={studies.error} again={() => void studies.refetch()} />;
  const { ran, bundled } = studies.data;
  return (
    <div className="studies">
      <h1>Studies</h1>
      <p className="secondary">Is a debate worth its cost on your cases? A study holds it against doing without.</p>
      {ran.length === 0 && <Empty>No study has run here yet. Start one below, or: parley study run FILE</Empty>}
      {ran.length > 0 && (
        <ul className="plain-list" aria-label="Studies that ran here">
          {ran.map((study) => (
            <li key={study.name}>
              <StudyLine study={study} />
            </li>
          ))}
        </ul>
      )}
      <section aria-label="Ready to run">
        <h2>Ready to run</h2>
        <ul className="plain-list">
          {bundled.map((one) => (
            <li key={one.name}>
              <Bundled study={one} ran={ran} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function StudyLine({ study }: { study: StudyItem }) {
  const { name, pack, arms, runs, planned, live, cases } = study;
  return (
    <>
      <div>
        <Link href={`/studies/${name}`} className="title">
          {sayName(name)}
        </Link>
        <p className="secondary">{`${sayName(pack)}, ${cases} cases, arms: ${arms.join(", ")}`}</p>
      </div>
      <div className="far">
        <span className={live ? "live" : "secondary"}>
          {runs >= planned && !live ? `${runs} runs` : `${runs} of ${planned} runs`}
        </span>
        {(live || runs < planned) && (
          <progress value={runs} max={Math.max(1, planned)} aria-label={`${name}: how far`} />
        )}
      </div>
    </>
  );
}

type BundledStudy = StudyList["bundled"][number];

function Bundled({ study, ran }: { study: BundledStudy; ran: StudyItem[] }) {
  const [, go] = useLocation();
  const [limit, setLimit] = useState("");
  const start = useMutation({
    mutationFn: () =>
      callApi("startStudy", { body: { name: study.name, ...(limit !== "" && { limit: Number(limit) }) } }),
    onSuccess: ({ name }) => go(`/studies/${name}`),
  });
  const isThere = ran.some(({ name }) => name === study.name);
  return (
    <>
      <div>
        <p className="title">{study.about || sayName(study.name)}</p>
        <p className="secondary">
          {sayName(study.pack)} <code>{study.name}</code>
        </p>
        {start.isError && <Failure error={start.error} />}
      </div>
      <form
        className="far row"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <input
          type="number"
          min={1}
          placeholder="all cases"
          aria-label={`How many cases of ${study.name}`}
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
        />
        <button disabled={start.isPending}>{isThere ? "Run again" : "Run"}</button>
      </form>
    </>
  );
}
