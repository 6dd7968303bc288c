import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { sayName } from "../text/words.ts";
import { type RunQuery, states } from "./run-query.ts";

type Props = { query: RunQuery; packs: readonly string[]; onChange: (changes: Partial<RunQuery>) => void };

const times: Record<string, string> = { "1": "last day", "7": "last 7 days", "30": "last 30 days" };
const groups: Record<string, string> = {
  outcome: "by outcome",
  reason: "by reason without decision",
  study: "by study",
};

/** What is looked for: words, pack, state, time; and how the answer is grouped. */
export function FilterBar({ query, packs, onChange }: Props) {
  const set = (key: keyof RunQuery) => (value: string) => onChange({ [key]: value });
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <WordsInput value={query.text} onChange={set("text")} />
      <Choice
        name="Pack"
        none="every pack"
        value={query.pack}
        choices={Object.fromEntries(packs.map((pack) => [pack, sayName(pack)]))}
        onChange={set("pack")}
      />
      <Choice name="State" none="every state" value={query.state} choices={states} onChange={set("state")} />
      <Choice name="Time" none="any time" value={query.days} choices={times} onChange={set("days")} />
      <Choice name="Group" none="not grouped" value={query.group} choices={groups} onChange={set("group")} />
    </form>
  );
}

type ChoiceProps = {
  name: string;
  none: string;
  value: string;
  choices: Record<string, string>;
  onChange: (value: string) => void;
};

function Choice({ name, none, value, choices, onChange }: ChoiceProps) {
  const isKnown = value === "" || value in choices;
  return (
    <select
      aria-label={name}
      className={value === "" ? "" : "set"}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{none}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {Object.entries(choices).map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  );
}

/** Words are looked for when typing pauses; `/` leads here. */
function WordsInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [words, setWords] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setWords(value), [value]);
  useEffect(() => {
    if (words.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(words.trim()), 250);
    return () => clearTimeout(timer);
  }, [words, value, onChange]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <input
      ref={input}
      className="grow"
      type="search"
      value={words}
      placeholder="Words of a case, a reply or a decision"
      aria-label="Words of a case, a reply or a decision"
      onChange={(event) => setWords(event.target.value)}
      onKeyDown={(event) => event.key === "Escape" && input.current?.blur()}
    />
  );
}

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

/** A list that somebody comes back to: a name, and the address it stands for. */
type SavedView = { name: string; search: string };

const key = "parley-views";

/** What most people come back to. */
const usual: SavedView[] = [
  { name: "All", search: "" },
  { name: "Needs a person", search: "state=escalated" },
  { name: "Failed", search: "state=failed" },
  { name: "Last 7 days", search: "days=7" },
];

/** The views of this browser, and ways to keep one and to let it go. */
function useSavedViews() {
  const [own, setOwn] = useState(readOwn);
  const keep = (views: SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(views));
    setOwn(views);
  };
  return {
    usual,
    own,
    save: (view: SavedView) => keep([...own.filter(({ name }) => name !== view.name), view].slice(-20)),
    remove: (name: string) => keep(own.filter((view) => view.name !== name)),
  };
}

/** What this browser keeps; anything else under that name is left alone. */
function readOwn(): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const view = value as Partial<SavedView> | null;
  return typeof view?.name === "string" && typeof view.search === "string";
}
