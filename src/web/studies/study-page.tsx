import type { Section } from "../../contract/view.ts";
import { useApi } from "../data/use-api.ts";
import { Sections, SectionView } from "../sections/section-view.tsx";
import { Loaded } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";

export default function StudyPage({ name }: { name: string }) {
  const study = useApi(
    "readStudy",
    { params: { name } },
    {
      refetchInterval: ({ state: { data } }) => (data && data.study.runs < data.study.planned ? 5_000 : false),
    },
  );
  if (!study.data) return <Loaded query={study}>{() => null}</Loaded>;
  const { sections, study: item } = study.data;
  const verdict = sections.find(({ kind }) => kind === "verdict");
  const parts = pictureFirst(sections.filter((section) => section !== verdict));
  return (
    <div className="study">
      <header className="head">
        <p className="secondary">{`Study · ${sayName(item.pack)} · ${item.cases} cases, ${item.arms.length} arms`}</p>
        <h1>{sayName(name)}</h1>
      </header>
      {item.runs < item.planned && (
        <label className="progress">
          {`${item.runs.toLocaleString("en")} of ${item.planned.toLocaleString("en")} runs`}
          <progress value={item.runs} max={item.planned} />
        </label>
      )}
      {verdict && (
        <>
          <p className="ask">{verdict.title}</p>
          <SectionView section={verdict} isLead />
        </>
      )}
      {sections.length === 0 && <p className="secondary">Figures appear when the first runs end.</p>}
      <div className="study-body">
        <Contents parts={parts} />
        <div>
          <Sections sections={parts} />
        </div>
      </div>
    </div>
  );
}

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
