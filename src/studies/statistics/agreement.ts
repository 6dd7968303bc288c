export type AnswerRecord = { player: string; right: Map<string, boolean> };

/** The correlation (phi) of the errors of each pair of players over the items that both answered; null when one of them is always right or always wrong. */
export function errorCorrelations(records: readonly AnswerRecord[]): (number | null)[] {
  return records.flatMap((first, i) => records.slice(i + 1).map((second) => correlateErrors(first, second)));
}

function correlateErrors(first: AnswerRecord, second: AnswerRecord): number | null {
  let [items, firstWrong, secondWrong, bothWrong] = [0, 0, 0, 0];
  for (const [item, right] of first.right) {
    const other = second.right.get(item);
    if (other === undefined) continue;
    items++;
    if (!right) firstWrong++;
    if (!other) secondWrong++;
    if (!right && !other) bothWrong++;
  }
  const spread = Math.sqrt(firstWrong * (items - firstWrong) * secondWrong * (items - secondWrong));
  return spread === 0 ? null : (items * bothWrong - firstWrong * secondWrong) / spread;
}

export function effectiveVotes(players: number, correlation: number): number {
  return players / (1 + (players - 1) * Math.max(0, correlation));
}
