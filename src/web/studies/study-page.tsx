import { anchorOf } from "../text/page-context.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { RunRow, Section, SectionOf } from "../../contract/view.ts";
import { callApi } from "../../contract/api/client.ts";
import { Sections, SectionView } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayName, showHidden } from "../text/words.ts";

/** A study: whether the debate was worth it, in words first, then the numbers and the cases behind them. */
export default function StudyPage({ name }: { name: string }) {
  const study = useQuery({
    queryKey: ["study", name],
    queryFn: () => callApi("readStudy", { params: { name } }),
    refetchInterval: ({ state: { data } }) => (data && data.study.runs < data.study.planned ? 5_000 : false),
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

const mostShown = 300;

/** The runs behind a number: opened by the number's own link, and closed where one was. */
function CaseList({ sections }: { sections: readonly Section[] }) {
  const [id, close] = useHashId();
  const runs = sections.find((section): section is SectionOf<"runs"> => section.kind === "runs");
  const set = runs?.sets.find((one) => anchorOf("cases", one.id) === id);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (set) button.current?.focus();
  }, [set]);
  if (!runs || !set) return null;
  const rows = set.rows.flatMap((at) => runs.rows[at] ?? []);
  return (
    <aside
      className="drawer cases"
      role="dialog"
      aria-label={set.title}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <header className="page-head">
        <h2>{set.title}</h2>
        <button ref={button} onClick={close}>
          Close
        </button>
      </header>
      <p className="secondary">{`${rows.length} ${rows.length === 1 ? "run" : "runs"}`}</p>
      <ul>
        {rows.slice(0, mostShown).map((row) => (
          <li key={`${row.arm}/${row.case}/${row.seed}`}>
            <CaseRow row={row} />
          </li>
        ))}
      </ul>
      {rows.length > mostShown && <p className="secondary">{`and ${rows.length - mostShown} more`}</p>}
    </aside>
  );
}

function CaseRow({ row }: { row: RunRow }) {
  const mark = row.right === null ? "neutral" : row.right ? "good" : "bad";
  const word = row.right === null ? sayName(row.outcome) : row.right ? "right" : "wrong";
  return (
    <>
      <span className={`chip ${mark}`}>{word}</span>
      {row.run ? <Link href={`/runs/${row.run}`}>{showHidden(row.case)}</Link> : <span>{showHidden(row.case)}</span>}
      <span className="secondary">{row.arm}</span>
    </>
  );
}

/** The set that the address names after its hash, and a way to leave it. */
function useHashId(): [string | null, () => void] {
  const read = (): string | null => /^#(cases-.+)$/.exec(decodeURIComponent(location.hash))?.[1] ?? null;
  const [id, setId] = useState(read);
  useEffect(() => {
    const onHash = () => setId(read());
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  return [id, () => history.back()];
}
