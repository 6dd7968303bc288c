/** The chances of a win that are weighed against an even one, evenly spread between one half and one. */
const chances = Array.from({ length: 100 }, (_, at) => 0.5 + (at + 0.5) / 200);

/**
 * How strongly wins against losses speak for the winner, as a bet that may be looked at after every case: under an even
 * chance it exceeds 1/α at any time with a chance of at most α (Ville), so that peeking and stopping early are allowed.
 * It is the mean over `chances` of the likelihood ratio against one half.
 */
export function measureEvidence(wins: number, losses: number): number {
  const logs = chances.map((chance) => wins * Math.log(2 * chance) + losses * Math.log(2 * (1 - chance)));
  const most = Math.max(...logs);
  return Math.exp(most) * (logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length);
}

/** How many cases it takes, about, until a difference like the one seen would be shown at this level; null when none was seen. */
export function countToSettle(wins: number, losses: number, cases: number, needed: number): number | null {
  if (wins <= losses || cases === 0) return null;
  for (let times = 1; times <= 4_096; times *= 1.05)
    if (measureEvidence(wins * times, losses * times) >= needed) return Math.ceil(cases * times);
  return null;
}
