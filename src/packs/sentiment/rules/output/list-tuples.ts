import type { Tuple } from "../../schemas/debate.ts";
import { type Stated, tupleKeyOf } from "../tuples/stated.ts";
import { sortByPlace } from "../tuples/text-order.ts";

/** The distinct tuples of a list, in text order. */
export function listTuples(text: string, list: readonly Stated[]): Tuple[] {
  const tuples = list.map(({ aspect_ref, polarity }) => ({ aspect_ref, aspect_term: aspect_ref, polarity }));
  const distinct = new Map(tuples.map((tuple) => [tupleKeyOf(tuple), tuple]));
  return sortByPlace(text, [...distinct.values()], (tuple) => tuple.aspect_ref).sort(compareInPlace);
}

/** Tuples of one aspect stand in alphabetical order of polarity; others keep their place. */
function compareInPlace(a: Tuple, b: Tuple): number {
  return a.aspect_ref === b.aspect_ref ? a.polarity.localeCompare(b.polarity) : 0;
}
