import { findArticleReferences } from "../citations/article-references.ts";
import { findLawReferences } from "../citations/law-references.ts";

type Section = { level: number; heading: string; line: number; body: string[] };

/** The entries of a Markdown corpus: one for each heading with text; the heading above it names its law. A last heading without text is reported. */
export function readMarkdownEntries(text: string): { place: string; value: Record<string, unknown> }[] {
  const sections = splitSections(text);
  return sections.flatMap((section, index) => {
    const body = section.body.join("\n").trim();
    const hasParts = (sections[index + 1]?.level ?? 0) > section.level;
    if (body === "" && hasParts) return [];
    const parent = sections.slice(0, index).findLast(({ level }) => level < section.level)?.heading;
    return [{ place: `line ${section.line}`, value: makeEntry(section.heading, parent, body) }];
  });
}

function makeEntry(heading: string, parent: string | undefined, text: string): Record<string, unknown> {
  const article = readArticle(heading);
  const own = article === undefined ? undefined : findLawReferences(heading)[0]?.text;
  const isWhole = parent === undefined || own !== undefined;
  const title = isWhole ? heading : `${parent} ${article === undefined ? "– " : ""}${heading}`;
  const of = own ?? parent;
  const law = article === undefined || of === undefined ? {} : { law: of, article };
  const [, community] = /\badat\s+([\p{L}]+)/iu.exec(`${parent ?? ""} ${heading}`) ?? [];
  return { title, text, ...law, ...(community && article === undefined ? { community } : {}) };
}

/** The article that a heading is of: "Pasal 4", "Pasal 4: Iuran", "UU 1/2023 Pasal 597" or "Pasal 597 KUHP". */
function readArticle(heading: string): string | undefined {
  const [named, ...others] = findArticleReferences(heading);
  if (!named || others.length > 0) return undefined;
  const before = heading.slice(0, named.start).trim();
  return before === "" || findLawReferences(before).length > 0 ? named.article : undefined;
}

function splitSections(text: string): Section[] {
  const sections: Section[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = /^(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line);
    if (match) sections.push({ level: match[1]?.length ?? 1, heading: match[2] ?? "", line: index + 1, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}
