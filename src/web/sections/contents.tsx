import type { Section } from "../../contract/view.ts";
import { showHidden } from "../text/words.ts";

/** A page's answer, and its other sections, each with an id. */
export function splitVerdict(sections: readonly Section[]): { verdict: Section | undefined; rest: Section[] } {
  const named = sections.map((section, at) => ({ id: `part-${at + 1}`, ...section }));
  const isLed = named[0]?.kind === "verdict";
  return { verdict: isLed ? named[0] : undefined, rest: isLed ? named.slice(1) : named };
}

export type Content = { id: string; title: string };

export function listContents(sections: readonly Section[]): Content[] {
  return sections.flatMap(({ id, title }) => (title === "" || id === undefined ? [] : [{ id, title }]));
}

export function Contents({ label, contents }: { label: string; contents: readonly Content[] }) {
  return (
    <nav className="contents" aria-label={label}>
      <ul>
        {contents.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{showHidden(title)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
