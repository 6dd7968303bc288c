import { parseSync } from "vite";

/** A place in a specification that a comment names: `question spec §6.2`. */
export type Citation = { name: string; section: string };

/** What a comment cites, and what looks like a citation and is none. */
export type Cited = { citations: Citation[]; malformed: string[] };

/** A comment of a source file, on one line, and the line where it begins. */
export type Comment = { text: string; line: number };

const section = String.raw`§(\d+[a-z]?(?:\.\d+)*)`;
const citation = new RegExp(String.raw`([\w-]+) spec ${section}((?:(?:,| and| or| to|–|, and) ?${section})*)`, "gi");
const looseEnds = /§.{0,8}|\bspec(?:ification)?,? sections? \d\w*|\bsections? \d\w*/gi;

/** The comments of a TypeScript or JavaScript file. */
export function readComments(file: string, source: string): Comment[] {
  return parseSync(file, source).comments.map(({ value, start }) => ({
    text: value.replaceAll(/\s*\n\s*\*?\s*/g, " "),
    line: source.slice(0, start).split("\n").length,
  }));
}

/** Finds the citations of a comment: a spec's name, then one section or several. */
export function findCitations(text: string): Cited {
  const citations = [...text.matchAll(citation)].flatMap(([whole, name = ""]) =>
    [...whole.matchAll(new RegExp(section, "gi"))].map(([, number = ""]) => ({
      name: name.toLowerCase(),
      section: number,
    })),
  );
  return { citations, malformed: text.replaceAll(citation, "").match(looseEnds) ?? [] };
}

/** The numbers of a page's headings: `## 4 …`, `### 4.2 …`. */
export function readSections(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^#{2,6} (\d+[a-z]?(?:\.\d+)*)\.? /gm)].map(([, number = ""]) => number));
}

/** Says what is wrong with the citations of a comment, given the sections of each page by its name. */
export function checkCitations(text: string, pages: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const { citations, malformed } = findCitations(text);
  return [
    ...malformed.map((words) => `"${words.trim()}" names no specification; write it as \`<name> spec §N\``),
    ...citations.flatMap(({ name, section: number }) => {
      const sections = pages.get(name);
      if (!sections) return [`there is no docs/spec/${name}.md (known: ${[...pages.keys()].join(", ")})`];
      return sections.has(number) ? [] : [`docs/spec/${name}.md has no section ${number}`];
    }),
  ];
}
