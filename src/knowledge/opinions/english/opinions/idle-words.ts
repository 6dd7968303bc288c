import { readDataRows } from "../../reading/data.ts";
import { loadOnce } from "../../reading/language.ts";
import type { Token } from "../words/token.ts";

/** True when the word at a place stands as a row says. */
type Test = (tokens: readonly Token[], at: number) => boolean;

/** A word of the lexicon that evaluates nothing in some company. */
export type IdleRow = { word: string; where: string; example: string; holds: Test };

/** The rows of `idle.txt`, which says how they are written. */
export const openIdleRows = loadOnce((): IdleRow[] =>
  readDataRows("en/idle.txt").map(([word = "", where = "", example = ""]) => {
    return { word, where, example, holds: readPlace(where) };
  }),
);

const openRowsByWord = loadOnce(() => Map.groupBy(openIdleRows(), (row) => row.word));

/** True where a word of the lexicon evaluates nothing: "as well", "kind of", "I mean", "right next to", "hard drive". */
export function isIdle(tokens: readonly Token[], at: number): boolean {
  const rows = openRowsByWord().get((tokens[at] as Token).lower) ?? [];
  return rows.some((row) => row.holds(tokens, at));
}

/** Where the neighbour stands that a row names; "as" names the word itself. */
const offsets: Record<string, number> = { after: -1, before: 1, as: 0 };

/** Reads where a word stands: "after as oh", "not as ADJ", "first", "always". */
export function readPlace(where: string): Test {
  if (where === "always") return () => true;
  if (where === "first") return (_tokens, at) => at === 0;
  const [, not, place = "", list = ""] = /^(not )?(after|before|as) (.+)$/.exec(where) ?? [];
  const names = new Set(list.split(" "));
  return (tokens, at) => {
    const token = tokens[at + (offsets[place] ?? 0)];
    const named = token !== undefined && (names.has(token.lower) || names.has(token.pos));
    return named === (not === undefined);
  };
}
