import { anchorOf, GoLink, useWords } from "../text/page-context.tsx";
import { useMemo } from "react";
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
  const users = (index.usedBy.get(id) ?? []).flatMap((point) => index.points.get(point) ?? []);
  return (
    <div className={`exhibit ${struck ? "is-struck" : ""}`} id={anchorOf("exhibit", id)}>
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

/** Lights the hovered or focused item and everything that it links to. */
export function lightLinked(target: EventTarget | null): void {
  const held = target instanceof Element ? target.closest(".point, .exhibit, .links a") : null;
  const links = held?.matches("a") ? [held] : [...(held?.querySelectorAll(".links a") ?? [])];
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const id of [held?.id, ...links.map((link) => link.getAttribute("href")?.slice(1))])
    if (id) document.getElementById(id)?.classList.add("lit");
}
