import type { Polarity, Sentiment } from "../../schemas/stage1.ts";
import type { Move } from "../settle/moves.ts";
import { keepStated } from "../tuples/stated.ts";

/** An aspect whose tuple would change: its polarities before and after, and the names its votes were cast under. */
export type TupleChange = { aspect: string; names: string[]; before: Polarity[]; after: Polarity[] };

/** Compares two lists aspect by aspect; a renamed aspect is one change under both its names (sentiment spec §7). */
export function findTupleChanges(
  before: readonly Sentiment[],
  after: readonly Sentiment[],
  moves: readonly Move[] = [],
): TupleChange[] {
  const target = (term: string) => moves.find((move) => move.from === term)?.to ?? term;
  const names = [...new Set([...before, ...after].map((sentiment) => sentiment.aspect_ref))];
  return [...new Set(names.map(target))].flatMap((aspect) => {
    const own = names.filter((name) => target(name) === aspect);
    const old = listPolarities(before, own);
    const fresh = listPolarities(after, own);
    const renamed = own.some((name) => name !== aspect && listPolarities(before, [name]).length > 0);
    return !renamed && old.join() === fresh.join() ? [] : [{ aspect, names: own, before: old, after: fresh }];
  });
}

/** The polarities that a list states for an aspect, under any of its names, in alphabetical order. */
export function listPolarities(list: readonly Sentiment[], names: readonly string[]): Polarity[] {
  const own = keepStated(list).filter((sentiment) => names.includes(sentiment.aspect_ref));
  return [...new Set(own.map((sentiment) => sentiment.polarity))].sort();
}
