import { useApi } from "../data/use-api.ts";
import { Contents, listContents, splitVerdict } from "../sections/contents.tsx";
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
  const { verdict, rest } = splitVerdict(sections);
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
        <Contents label="Parts of the study" contents={listContents(rest)} />
        <div>
          <Sections sections={rest} />
        </div>
      </div>
    </div>
  );
}
