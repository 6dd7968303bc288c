import type { Scorecard } from "../results/scorecard.ts";

/** The scorecards of one arm, case by case; several seeds of a case stay together. */
export type ArmData = { name: string; cards: Scorecard[]; byCase: Map<string, Scorecard[]> };

/** Groups the scorecards of a study by arm. */
export function collectArmData(name: string, scorecards: readonly Scorecard[]): ArmData {
  const cards = scorecards.filter((card) => card.arm === name);
  return { name, cards, byCase: Map.groupBy(cards, (card) => card.case_id) };
}

/** The mean of a value over the seeds of each case, where it applies; a case counts once. */
export function averageByCase(arm: ArmData, valueOf: (card: Scorecard) => number | null): Map<string, number> {
  const means = new Map<string, number>();
  for (const [id, cards] of arm.byCase) {
    const values = cards.map(valueOf).filter((value) => value !== null);
    if (values.length > 0) means.set(id, values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  return means;
}

/** Whether each case is right: in more than half of its seeds. Cases without gold are left out. */
export function judgeByCase(arm: ArmData): Map<string, boolean> {
  const shares = averageByCase(arm, (card) => (card.right === null ? null : Number(card.right)));
  return new Map([...shares].map(([id, share]) => [id, share > 0.5]));
}

/** The values of two arms on the cases that both have, in one order. */
export function paired<T>(first: Map<string, T>, second: Map<string, T>): { ids: string[]; first: T[]; second: T[] } {
  const ids = [...first.keys()].filter((id) => second.has(id)).sort();
  return { ids, first: ids.map((id) => first.get(id) as T), second: ids.map((id) => second.get(id) as T) };
}
