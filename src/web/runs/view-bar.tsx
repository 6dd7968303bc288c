import { useState } from "react";
import { Link } from "wouter";
import { useSavedViews } from "./saved-views.ts";

/** Views that one comes back to; what is looked for now can be kept as one. */
export function ViewBar({ search, isPlain }: { search: string; isPlain: boolean }) {
  const { usual, own, save, remove } = useSavedViews();
  const [name, setName] = useState<string | null>(null);
  const isKept = [...usual, ...own].some((view) => view.search === search);
  return (
    <nav className="views" aria-label="Views">
      {[...usual, ...own].map((view) => (
        <span key={view.name} className="view">
          <Link
            href={view.search === "" ? "/" : `/?${view.search}`}
            aria-current={view.search === search ? "page" : undefined}
          >
            {view.name}
          </Link>
          {own.includes(view) && (
            <button
              className="plain"
              aria-label={`Forget the view ${view.name}`}
              title="Forget this view"
              onClick={() => remove(view.name)}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {!isPlain && !isKept && name === null && (
        <button className="plain" onClick={() => setName("")}>
          Save this view
        </button>
      )}
      {name !== null && (
        <form
          className="view"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== "") save({ name: name.trim().slice(0, 40), search });
            setName(null);
          }}
        >
          <input
            autoFocus
            aria-label="Name of the view"
            placeholder="Name of the view"
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setName(null)}
          />
          <button>Save</button>
        </form>
      )}
    </nav>
  );
}
