/** A gold label beside what each system said of it. */
export type Judged = { gold: string; said: Record<string, string> };

/** Accuracy, and F1 averaged over the labels that occur in gold. */
export function classify(judged: readonly Judged[], system: string): { accuracy: number; macroF1: number } {
  const right = judged.filter((one) => one.said[system] === one.gold).length;
  const classes = [...new Set(judged.map((one) => one.gold))];
  const f1 = classes.map((label) => {
    const hit = judged.filter((one) => one.gold === label && one.said[system] === label).length;
    const gold = judged.filter((one) => one.gold === label).length;
    const said = judged.filter((one) => one.said[system] === label).length;
    return hit === 0 ? 0 : (2 * hit) / (gold + said);
  });
  return {
    accuracy: judged.length === 0 ? 0 : right / judged.length,
    macroF1: f1.length === 0 ? 0 : f1.reduce((a, b) => a + b, 0) / f1.length,
  };
}

/** Tuples of one text as "term\u0000polarity". */
export type TupleSet = Set<string>;

/** Micro precision, recall and F1 over texts. */
export function tupleF1(pairs: readonly { gold: TupleSet; said: TupleSet }[]): {
  precision: number;
  recall: number;
  f1: number;
} {
  let [hit, gold, said] = [0, 0, 0];
  for (const pair of pairs) {
    hit += [...pair.said].filter((tuple) => pair.gold.has(tuple)).length;
    gold += pair.gold.size;
    said += pair.said.size;
  }
  return {
    precision: said === 0 ? 0 : hit / said,
    recall: gold === 0 ? 0 : hit / gold,
    f1: gold + said === 0 ? 0 : (2 * hit) / (gold + said),
  };
}

export type Change = {
  id: string;
  aspect: string;
  gold: string;
  before: string;
  after: string;
  effect: "fixed" | "broken" | "other";
};

/** What the debate changed against gold, item by item. */
export function changesOf(
  id: string,
  items: readonly { aspect: string; gold: string; before: string; after: string }[],
): Change[] {
  return items
    .filter((item) => item.before !== item.after)
    .map((item) => ({
      id,
      ...item,
      effect: item.after === item.gold ? "fixed" : item.before === item.gold ? "broken" : "other",
    }));
}
