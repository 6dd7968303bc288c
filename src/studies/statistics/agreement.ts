/** How two players err together; `correlation` (phi) is null when one of them is always right or always wrong. */
export type ErrorCorrelation = {
  first: string;
  second: string;
  items: number;
  correlation: number | null;
  bothWrong: number;
  /** Both wrong, if they erred independently of each other. */
  bothWrongByChance: number;
};

/** Which items a player was right on, by item. */
export type AnswerRecord = { player: string; right: Map<string, boolean> };

/** Error correlation of each pair of players over the items that both answered. */
export function errorCorrelations(records: AnswerRecord[]): ErrorCorrelation[] {
  const pairs: ErrorCorrelation[] = [];
  for (const [i, first] of records.entries())
    for (const second of records.slice(i + 1)) pairs.push(errorCorrelation(first, second));
  return pairs;
}

function errorCorrelation(first: AnswerRecord, second: AnswerRecord): ErrorCorrelation {
  let items = 0;
  let firstWrong = 0;
  let secondWrong = 0;
  let bothWrong = 0;
  for (const [item, right] of first.right) {
    const other = second.right.get(item);
    if (other === undefined) continue;
    items++;
    if (!right) firstWrong++;
    if (!other) secondWrong++;
    if (!right && !other) bothWrong++;
  }
  const spread = Math.sqrt(firstWrong * (items - firstWrong) * secondWrong * (items - secondWrong));
  return {
    first: first.player,
    second: second.player,
    items,
    correlation: spread === 0 ? null : (items * bothWrong - firstWrong * secondWrong) / spread,
    bothWrong: items === 0 ? 0 : bothWrong / items,
    bothWrongByChance: items === 0 ? 0 : (firstWrong * secondWrong) / items ** 2,
  };
}

/** How many independent votes so many players are worth whose errors correlate so much. */
export function effectiveVotes(players: number, correlation: number): number {
  return players / (1 + (players - 1) * Math.max(0, correlation));
}
