import { useQuery } from "@tanstack/react-query";
import type { Section } from "../../contract/view.ts";
import { call } from "../data/call.ts";
import { SectionView, Sections } from "../sections/section-view.tsx";
import { CaseList } from "../studies/case-list.tsx";
import { StudyProgress } from "../studies/study-progress.tsx";
import { Failure, Skeleton } from "../text/states.tsx";
import { sayName } from "../text/words.ts";

/** A study: whether the debate was worth it, in words first, then the numbers and the cases behind them. */
export default function StudyPage({ name }: { name: string }) {
  const study = useQuery({
    queryKey: ["study", name],
    queryFn: () => call("readStudy", `/api/studies/${encodeURIComponent(name)}`),
    refetchInterval: ({ state }) => (state.data?.study.live ? 2_000 : state.error ? 2_000 : false),
    retry: 3,
  });
  if (study.isPending) return <Skeleton lines={8} />;
  if (study.isError) return <Failure error={study.error} again={() => void study.refetch()} />;
  const { sections, study: item } = study.data;
  const verdict = sections.find(({ kind }) => kind === "verdict");
  const parts = sections.filter((section) => section !== verdict && section.kind !== "runs");
  return (
    <div className="study">
      <header className="head">
        <p className="secondary">{`Study · ${sayName(item.pack)} · ${item.cases} cases, ${item.arms.length} arms`}</p>
        <h1>{sayName(name)}</h1>
      </header>
      <StudyProgress detail={study.data} />
      {verdict && (
        <>
          <p className="ask">{verdict.title}</p>
          <SectionView section={verdict} />
        </>
      )}
      {sections.length === 0 && <p className="secondary">The first numbers come with the first runs that end.</p>}
      <div className="study-body">
        <Contents parts={parts} />
        <div>
          <Sections sections={parts} />
        </div>
      </div>
      <CaseList sections={sections} />
    </div>
  );
}

function Contents({ parts }: { parts: Section[] }) {
  const named = parts.filter(({ id, title }) => id !== undefined && title !== "");
  if (named.length < 3) return null;
  return (
    <nav className="contents" aria-label="Parts of the study">
      {named.map(({ id, title }) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}
