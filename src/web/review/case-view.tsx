import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ReviewDetail } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { SectionView, Sections } from "../sections/section-view.tsx";
import { Failure, Skeleton } from "../text/states.tsx";
import { tellAge } from "../text/time.ts";
import { guessLang, sayName, showHidden } from "../text/words.ts";
import { Deadline } from "./queue.tsx";
import { Sides } from "./sides.tsx";
import { SourceView } from "./source-view.tsx";

type Props = { detail: ReviewDetail; isHidden: boolean; onHide: (isHidden: boolean) => void };

/** The case: why it is here, what each side says, and the source beside it. */
export function CaseView({ detail, isHidden, onHide }: Props) {
  const { item, blind, turn, words } = detail;
  const { run, reasons } = item;
  return (
    <div className="case">
      <header>
        <p className="secondary">
          {`${sayName(run.pack)} · came ${tellAge(item.since)}`}
          <Deadline item={item} />
        </p>
        <h2 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h2>
      </header>
      <section aria-label="Why it is here">
        <h3>Why it is here</h3>
        {turn ? (
          <p>{`A person plays the ${sayName(turn.key.role)}, and it is that role's turn (${turn.key.round === 0 ? "before the debate" : `round ${turn.key.round}`}).`}</p>
        ) : item.why === "budget" ? (
          <p>The run has used up its budget. It can end with what stands, or go on with more.</p>
        ) : reasons.length > 0 ? (
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{showHidden(words[reason] ?? sayName(reason))}</li>
            ))}
          </ul>
        ) : (
          <p>The debate asks for a person's ruling.</p>
        )}
      </section>
      {!blind && (
        <label className="check">
          <input type="checkbox" checked={isHidden} onChange={(event) => onHide(event.target.checked)} />
          <span>
            Read the source first, without what the machine says <kbd>b</kbd>
          </span>
        </label>
      )}
      {blind && <p className="notice">What the machine says is kept back until you have answered.</p>}
      {!blind && !isHidden && <Machine id={run.id} words={words} />}
      <section aria-label="Source">
        <h3>Source</h3>
        <SourceView input={detail.input} words={words} />
      </section>
      {turn && (
        <details>
          <summary>What the role is told, word for word</summary>
          {turn.prompt.map((piece, at) => (
            <pre key={at} tabIndex={0}>
              {showHidden(piece)}
            </pre>
          ))}
        </details>
      )}
    </div>
  );
}

function Machine({ id, words }: { id: string; words: Record<string, string> }) {
  const run = useQuery({ queryKey: ["run", id], queryFn: () => call("readRun", `/api/runs/${id}`) });
  if (run.isPending) return <Skeleton lines={5} />;
  if (run.isError) return <Failure error={run.error} again={() => void run.refetch()} />;
  const verdict = run.data.sections.find(({ kind }) => kind === "verdict");
  return (
    <>
      {verdict && <SectionView section={verdict} />}
      <section aria-label="Both sides">
        <h3>
          What each side says <Link href={`/runs/${id}`}>the whole debate</Link>
        </h3>
        <Sides detail={run.data} words={words} />
      </section>
      <Sections sections={run.data.sections.filter(({ kind }) => kind === "lines" || kind === "highlight")} />
    </>
  );
}
