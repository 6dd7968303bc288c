import { anchorOf, GoLink, useWords } from "../text/page-context.tsx";
import { useMemo, useSyncExternalStore } from "react";
import type { Exhibit } from "../../contract/story.ts";
import { guessLang, showHidden } from "../text/words.ts";
import type { Placed, StoryIndex } from "./story-index.ts";

export function EvidencePane({ index }: { index: StoryIndex }) {
  const words = useWords();
  const groups = useMemo(() => groupBySource(index.story.exhibits), [index]);
  if (groups.length === 0) return <p className="secondary">{words.nothingQuoted}</p>;
  return groups.map(({ source, exhibits }) => (
    <section key={source} className="source">
      <h3 lang={guessLang(source)}>{showHidden(source)}</h3>
      {exhibits.map((exhibit) => (
        <ExhibitView key={exhibit.id} exhibit={exhibit} index={index} />
      ))}
    </section>
  ));
}

type Props = { exhibit: Exhibit; index: StoryIndex };

function ExhibitView({ exhibit, index }: Props) {
  const words = useWords();
  const { id, place, quote, before = "", after = "", struck } = exhibit;
  const isLit = useLit(id);
  const users = (index.usedBy.get(id) ?? []).flatMap((point) => index.points.get(point) ?? []);
  return (
    <div
      className={`exhibit ${isLit ? "lit" : ""} ${struck ? "is-struck" : ""}`}
      id={anchorOf("exhibit", id)}
      {...lights(() => [id, ...users.map(({ point }) => point.id)])}
    >
      {place !== "" && <p className="place">{showHidden(place)}</p>}
      <blockquote lang={guessLang(quote)}>
        <span className="faint">{showHidden(before)}</span>
        {struck ? <del>{showHidden(quote)}</del> : <mark>{showHidden(quote)}</mark>}
        <span className="faint">{showHidden(after)}</span>
      </blockquote>
      {struck && <p className="bad small">{`${words.struck}: ${showHidden(struck)}`}</p>}
      {users.length > 0 && (
        <p className="links">
          <span className="key">{words.usedBy}</span>
          {listUsers(users).map(({ label, turn, point }) => (
            <GoLink key={label} turn={turn} point={point.id}>
              {showHidden(label)}
            </GoLink>
          ))}
        </p>
      )}
    </div>
  );
}

const mostUsers = 6;

function listUsers(users: Placed[]): (Placed & { label: string })[] {
  const named = users.map((user) => {
    const { speaker, point } = user;
    const short = point.name.length < 12 ? ` ${point.name.replace(/^[A-Z]+ /, "")}` : "";
    return { ...user, label: `${speaker}${short}` };
  });
  return [...new Map(named.map((user) => [user.label, user])).values()].slice(0, mostUsers);
}

function groupBySource(exhibits: readonly Exhibit[]): { source: string; exhibits: Exhibit[] }[] {
  const groups = new Map<string, Exhibit[]>();
  for (const exhibit of exhibits) groups.set(exhibit.source, [...(groups.get(exhibit.source) ?? []), exhibit]);
  return [...groups].map(([source, own]) => ({ source, exhibits: own }));
}

/** The hovered or focused item and its related items; only these are redrawn. */
let lit: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function light(ids: Iterable<string>): void {
  lit = new Set(ids);
  for (const listener of listeners) listener();
}

export function useLit(id: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => lit.has(id),
    () => false,
  );
}

export function lights(ids: () => Iterable<string>) {
  return {
    onPointerEnter: () => light(ids()),
    onPointerLeave: () => light([]),
    onFocus: () => light(ids()),
    onBlur: () => light([]),
  };
}
