import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { RunRow, Section, SectionOf } from "../../contract/view.ts";
import { sayName, showHidden } from "../text/words.ts";

const mostShown = 300;

/** The runs behind a number: opened by the number's own link, and closed where one was. */
export function CaseList({ sections }: { sections: readonly Section[] }) {
  const [id, close] = useHashId();
  const runs = sections.find((section): section is SectionOf<"runs"> => section.kind === "runs");
  const set = runs?.sets.find((one) => one.id === id);
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
  const read = (): string | null => /^#cases-(.+)$/.exec(location.hash)?.[1] ?? null;
  const [id, setId] = useState(read);
  useEffect(() => {
    const onHash = () => setId(read());
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  return [id, () => history.back()];
}
