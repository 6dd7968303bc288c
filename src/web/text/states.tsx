import type { ReactNode } from "react";

/** Where a page's lines will be, while they are on their way. */
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div aria-busy="true" aria-label="loading">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="skeleton" data-line={at % 3} />
      ))}
    </div>
  );
}

/** What failed, what is safe, and what to do. */
export function Failure({ error, again }: { error: Error; again?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
      <p className="secondary">Nothing that was stored is touched by this.</p>
      {again && <button onClick={again}>Try again</button>}
    </div>
  );
}

/** One sentence and what fills the page. */
export function Empty({ children, command }: { children: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {command && <pre>{command}</pre>}
    </div>
  );
}
