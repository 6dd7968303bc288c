const bars = "▁▂▃▄▅▆▇█";

/** Points without needless decimals: 85, 85.3. */
export function points(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return Number.isInteger(rounded) ? String(rounded) : rounded.toFixed(1);
}

/** Points with their sign: +5, -2.5, +0. */
export function signed(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded < 0 ? `-${points(-rounded)}` : `+${points(rounded)}`;
}

/** Scores of 0 to 100 as bars. */
export function sparkline(scores: number[]): string {
  const bar = (score: number) => bars[Math.min(bars.length - 1, Math.max(0, Math.floor((score / 100) * bars.length)))];
  return scores.map(bar).join("");
}
