import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Outcome } from "../../contract/result.ts";
import type { RunStatus } from "../../contract/run.ts";
import { useIsStatic, useWords } from "./page-context.tsx";
import { cutAtWord, guessLang, sayName, sayOutcome, showHidden, formatAge, formatTime } from "./words.ts";

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div aria-busy="true" aria-label="loading">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="skeleton" data-line={at % 3} />
      ))}
    </div>
  );
}

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
      <p className="secondary">Stored data is not affected.</p>
      {again && <button onClick={again}>Try again</button>}
    </div>
  );
}

type LoadedProps<T> = { query: UseQueryResult<T>; lines?: number; children: (data: T) => ReactNode };

/** Shows loaded data, which stays on the page while the server is away. */
export function Loaded<T>({ query, lines = 6, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.error ? <Failure error={query.error} again={() => void query.refetch()} /> : <Skeleton lines={lines} />;
}

export function Empty({ children, command }: { children: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {command && <pre>{command}</pre>}
    </div>
  );
}

export function Age({ at, before = "" }: { at: string; before?: string }) {
  return <time dateTime={at} title={formatTime(at)}>{`${before}${formatAge(at)}`}</time>;
}

export function OutcomeChip({ run: { status, outcome } }: { run: { status: RunStatus; outcome: Outcome | null } }) {
  const { word, tone } = sayOutcome(status, outcome);
  return <span className={`chip ${tone}`}>{word}</span>;
}

export function Track({ share }: { share: number }) {
  return (
    <svg className="track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track-fill" width={Math.round(100 * Math.min(1, Math.max(0, share)))} height="8" />
    </svg>
  );
}

/** Any reply in words: lists as lists, keys as labels, never raw JSON. */
export function ValueView({ value }: { value: unknown }) {
  const words = useWords();
  if (isNothing(value)) return <span className="faint">{words.none}</span>;
  if (typeof value === "boolean") return <span>{value ? words.yes : words.no}</span>;
  if (typeof value === "number") return <span className="number">{Number(value.toFixed(3))}</span>;
  if (typeof value === "string") return <LongText text={value} most={longest} />;
  if (Array.isArray(value)) return <ListView items={value} />;
  return (
    <dl className="pairs">
      {Object.entries(value as Record<string, unknown>)
        .filter(([, inner]) => !isNothing(inner))
        .map(([key, inner]) => (
          <div key={key} className="bar-row">
            <dt>{sayName(key)}</dt>
            <dd>
              <ValueView value={inner} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function ListView({ items }: { items: unknown[] }) {
  if (items.every((item) => typeof item !== "object" || item === null))
    return <span className="prose">{showHidden(items.map(String).join(" · "))}</span>;
  return (
    <ul>
      {items.slice(0, mostListed).map((item, at) => (
        <li key={at}>
          <ValueView value={item} />
        </li>
      ))}
      {items.length > mostListed && <li className="secondary">{`and ${items.length - mostListed} more`}</li>}
    </ul>
  );
}

const longest = 1_500;
const mostListed = 200;

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Long text with "show more", cut where a reader would stop. */
export function LongText({ text, most = 420 }: { text: string; most?: number }) {
  const [isOpen, setOpen] = useState(false);
  const words = useWords();
  const isLong = !useIsStatic() && text.length > most * 1.25;
  const shown = isOpen || !isLong ? text : cutAtWord(text, most);
  return (
    <p className="speech prose" lang={guessLang(text)}>
      {showHidden(shown.length > 200_000 ? `${shown.slice(0, 200_000)}…` : shown)}{" "}
      {isLong && (
        <button className="plain" onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.less : words.more}
        </button>
      )}
    </p>
  );
}
