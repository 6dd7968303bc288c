import { formatCount } from "./number-text.ts";

/** What was spent, and what of it the finished turns account for. */
export type SpentAmounts = { calls: number; tokens: number; usd: number | null; used: number; cached: number };

/** What was spent, in words: all calls, also those that came to nothing, which count as the most they can have cost. */
export function formatSpend({ calls, tokens, usd, used, cached }: SpentAmounts): string {
  if (calls === 0 && tokens === 0) return "no model calls, free";
  const price = usd === null ? "cost unknown" : usd === 0 ? "free" : `$${usd.toFixed(4)}`;
  const beyond = tokens - used;
  const notes = [
    ...(cached > 0 ? [`${cached.toLocaleString("en")} cached`] : []),
    ...(beyond > 0 ? [`up to ${beyond.toLocaleString("en")} in calls that failed or gave no figures`] : []),
  ];
  const of = notes.length > 0 ? ` (${notes.join("; ")})` : "";
  return `${formatCount(calls, "call")}, ${tokens.toLocaleString("en")} tokens${of}, ${price}`;
}
