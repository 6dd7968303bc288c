import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import type { Move } from "../settle/moves.ts";
import { stated } from "../stage1/missing.ts";

/** An aspect whose tuple would change: its polarities before and after, and the names its votes were cast under. */
export type TupleChange = { aspect: string; names: string[]; before: Polarity[]; after: Polarity[] };

/** Compares two lists aspect by aspect; a renamed aspect is one change under both its names (spec section 7). */
export function tupleChanges(
  before: readonly Sentiment[],
  after: readonly Sentiment[],
  moves: readonly Move[] = [],
): TupleChange[] {
  const target = (term: string) => moves.find((move) => move.from === term)?.to ?? term;
  const names = [...new Set([...before, ...after].map((sentiment) => sentiment.aspect_ref))];
  return [...new Set(names.map(target))].flatMap((aspect) => {
    const own = names.filter((name) => target(name) === aspect);
    const old = polaritiesOf(before, own);
    const fresh = polaritiesOf(after, own);
    const renamed = own.some((name) => name !== aspect && polaritiesOf(before, [name]).length > 0);
    return !renamed && old.join() === fresh.join() ? [] : [{ aspect, names: own, before: old, after: fresh }];
  });
}

function polaritiesOf(list: readonly Sentiment[], names: readonly string[]): Polarity[] {
  const own = stated(list).filter((sentiment) => names.includes(sentiment.aspect_ref));
  return [...new Set(own.map((sentiment) => sentiment.polarity))].sort();
}
