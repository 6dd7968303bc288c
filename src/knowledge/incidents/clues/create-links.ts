import type { ParsedLog } from "../../logs/index.ts";
import type { Finding } from "./finding.ts";

/** Whether a line that was said before trouble names something that the trouble names too. */
export type Links = (said: Finding, trouble: readonly Finding[]) => boolean;

/** What more than this share of the templates say tells nothing apart. */
const usual = 0.3;
const mostQuotes = 3;

/** A part of the system, an account, a table, a volume links two lines, unless half of the log speaks of it; the place of the trouble always does. */
export function createLinks(log: ParsedLog): Links {
  const spread = new Map<string, number>();
  for (const { template, component } of log.templates)
    for (const name of listNames(`${component ?? ""} ${template}`)) spread.set(name, (spread.get(name) ?? 0) + 1);
  const most = Math.max(2, usual * log.templates.length);
  const named = new Map<Finding, string[]>();
  const namesOf = (finding: Finding) => {
    const known = named.get(finding) ?? listTold(finding).filter((name) => (spread.get(name) ?? 0) <= most);
    named.set(finding, known);
    return known;
  };
  return (said, trouble) => {
    const [own, all] = [new Set(namesOf(said)), new Set(listTold(said))];
    return trouble.some(
      (finding) =>
        (finding.place !== null && (finding.place === said.place || all.has(finding.place.toLowerCase()))) ||
        namesOf(finding).some((name) => own.has(name)),
    );
  };
}

function listTold({ place, lines }: Finding): string[] {
  const quotes = lines.slice(0, mostQuotes).map(({ quote }) => quote);
  return [...listNames([place ?? "", ...quotes].join(" "))];
}

const plainWords = new Set(
  "about above after again also before been being below both cannot could does done down during each error errors event failed failure file from have host http https info information into last level line local message more most none null only other over process ready request requests response running server service should since some start started status stopped such than that their then there this time timeout took true until user using value warn warning were when which while will with within without would".split(
    " ",
  ),
);

/** The names in a text: words of four letters and more, compound ones whole and in their parts; no numbers, no plain words. */
export function listNames(text: string): Set<string> {
  const compounds = text.match(/[A-Za-z]\w*(?:[-._/@]\w+)*/g) ?? [];
  const words = compounds.flatMap((name) => [
    ...(/[-._/@]/.test(name) ? [name] : []),
    ...name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[^A-Za-z]+/),
  ]);
  const names = words.map((word) => word.toLowerCase()).filter((word) => word.length >= 4 && !plainWords.has(word));
  return new Set(names);
}
