import type { Section, SectionOf } from "../../contract/view.ts";
import { html, type Markup } from "../../text/html.ts";
import { htmlId } from "./html-id.ts";

/** What a page has that can be linked to: names of cards, of turns and of sets of runs. */
export type Anchors = { cards: ReadonlySet<string>; turns: ReadonlySet<string>; runs: ReadonlySet<string> };

/** The anchors of sections, with those of the page around them. */
export function findAnchors(sections: readonly Section[], turns: ReadonlySet<string> = new Set()): Anchors {
  const all = sections.flatMap(withInner);
  const of = <K extends Section["kind"]>(kind: K): SectionOf<K>[] =>
    all.filter((section): section is SectionOf<K> => section.kind === kind);
  return {
    cards: new Set(of("cards").flatMap(({ cards }) => cards.map(({ id }) => id))),
    turns,
    runs: new Set(of("runs").flatMap(({ sets }) => sets.map(({ id }) => id))),
  };
}

function withInner(section: Section): Section[] {
  return section.kind === "group" ? [section, ...section.sections.flatMap(withInner)] : [section];
}

/** The id of a section: its own, or its place. */
export function sectionId({ id }: Section, index: number): string {
  return id ?? htmlId("section", String(index + 1));
}

/** A number as a link to the runs behind it, where the page has them. */
export function linkRuns(text: string | Markup, runs: string | undefined, anchors: Anchors): Markup {
  if (runs === undefined || !anchors.runs.has(runs)) return html`${text}`;
  return html`<a class="n" href="#${htmlId("runs", runs)}">${text}</a>`;
}

/** A card or a turn by its name: a link where the page has it, else only the name. */
export function linkName(name: string, { cards, turns }: Anchors): Markup {
  const kind = cards.has(name) ? "card" : turns.has(name) ? "turn" : null;
  return kind === null ? html`<span>${name}</span>` : html`<a href="#${htmlId(kind, name)}">${name}</a>`;
}
