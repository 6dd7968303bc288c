import type { Polarity } from "../schemas/stage1.ts";
import type { GoldTuple } from "./gold.ts";

/** A tuple that was said. */
export type SaidTuple = { aspect_ref: string; polarity: Polarity };

/** How said tuples compare with gold, each gold and each said tuple used once. */
export type Matched = { tp: number; fp: number; fn: number };

/** Exact matches on term and polarity; a gold tuple without a term then takes an unused tuple of its polarity. */
export function matchTuples(said: readonly SaidTuple[], gold: readonly GoldTuple[]): Matched {
  const open = keepDistinct(said.map((one) => ({ term: toTermForm(one.aspect_ref), polarity: one.polarity })));
  const wanted = keepDistinct(gold.map((one) => ({ term: toTermForm(one.term), polarity: one.polarity })));
  const total = open.length;
  let tp = 0;
  const take = (test: (one: GoldTuple) => boolean): void => {
    const at = open.findIndex(test);
    if (at === -1) return;
    open.splice(at, 1);
    tp += 1;
  };
  for (const gold of wanted.filter((one) => one.term !== ""))
    take((one) => one.term === gold.term && one.polarity === gold.polarity);
  for (const gold of wanted.filter((one) => one.term === "")) take((one) => one.polarity === gold.polarity);
  return { tp, fp: total - tp, fn: wanted.length - tp };
}

/** A term as it is compared: trimmed, lower case, single spaces, no punctuation at its ends. */
export function toTermForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** F1 from counts; nothing said where nothing was wanted is perfect. */
export function computeF1({ tp, fp, fn }: Matched): number {
  return tp + fp + fn === 0 ? 1 : (2 * tp) / (2 * tp + fp + fn);
}

function keepDistinct(list: GoldTuple[]): GoldTuple[] {
  return [...new Map(list.map((one) => [`${one.term}\u0000${one.polarity}`, one])).values()];
}
