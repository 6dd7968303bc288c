import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RunItem } from "../../contract/api/index.ts";
import { tellAge, tellTime } from "../text/time.ts";
import { guessLang, sayName, sayOutcome, showHidden } from "../text/words.ts";

type Props = { run: RunItem; isMarked?: boolean; isPlain?: boolean };

/** The cells of a run in a list: how it ended, what it is about, who played, when; plain ones are no links. */
export function RunCells({ run, isMarked = false, isPlain = false }: Props): ReactNode {
  const cell = isPlain ? undefined : "cell";
  const { word, tone } = sayOutcome(run.status, run.outcome);
  return (
    <>
      <span role={cell} className="state">
        {run.live ? <span className="live">live</span> : <span className={`chip ${tone}`}>{word}</span>}
      </span>
      <span role={cell} className="about">
        {isPlain ? (
          <span className="subject" lang={guessLang(run.subject)}>
            {showHidden(run.subject) || run.id}
          </span>
        ) : (
          <Link className="subject" href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
            {showHidden(run.subject) || run.id}
          </Link>
        )}
        {isMarked && <span className="badge">marked</span>}
        {run.parent && <span className="badge">branch</span>}
      </span>
      <span role={cell} className="pack secondary">
        {sayName(run.pack)}
      </span>
      <span role={cell} className="cast secondary" title={run.cast}>
        {run.cast}
      </span>
      <span role={cell} className="when secondary">
        <time dateTime={run.createdAt} title={tellTime(run.createdAt)}>
          {tellAge(run.createdAt)}
        </time>
      </span>
    </>
  );
}

/** The names of the columns. */
export function RunColumns() {
  return (
    <div role="row" className="run-row names" aria-rowindex={1}>
      {["state", "what it is about", "pack", "cast", "when"].map((name, at) => (
        <span key={name} role="columnheader" className={["state", "about", "pack", "cast", "when"][at]}>
          {name}
        </span>
      ))}
    </div>
  );
}
