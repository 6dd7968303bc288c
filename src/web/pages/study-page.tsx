import { useQuery } from "@tanstack/react-query";
import type { Section } from "../../contract/view.ts";
import { ArmPicker } from "../compare/arm-picker.tsx";
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
  const parts = pictureFirst(sections.filter((section) => section !== verdict && section.kind !== "runs"));
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
      {item.arms.length > 1 && sections.length > 0 && (
        <nav className="arms-nav" aria-label="Two arms side by side">
          <ArmPicker study={name} arms={item.arms} chosen={[item.arms[0] ?? "", ""]} />
        </nav>
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

/** Quality over cost comes before the tables: it says at a glance what the words said. */
function pictureFirst(parts: Section[]): Section[] {
  const picture = parts.find(hasCostChart);
  return picture ? [picture, ...parts.filter((part) => part !== picture)] : parts;
}

function hasCostChart(section: Section): boolean {
  if (section.kind === "group") return section.sections.some(hasCostChart);
  return section.kind === "chart" && section.chart.type === "cost";
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
