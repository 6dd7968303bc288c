import { formatCount } from "./number-text.ts";

/** What was spent, and what of it the finished turns account for. */
export type SpentAmounts = { calls: number; tokens: number; usd: number | null; used: number; cached: number };

/** How spending is told in one language; numbers are given as text. */
export type SpendWords = {
  nothing: string;
  unknown: string;
  free: string;
  /** Said of calls that were refused before a token was read. */
  uncharged: string;
  cached(tokens: string): string;
  beyond(tokens: string): string;
  calls(calls: number): string;
  tokens(tokens: string): string;
};

export const englishSpend: SpendWords = {
  nothing: "no model calls, free",
  unknown: "cost unknown",
  free: "free",
  uncharged: "nothing was charged",
  cached: (tokens) => `${tokens} cached`,
  beyond: (tokens) => `up to ${tokens} in calls that failed or gave no figures`,
  calls: (calls) => formatCount(calls, "call"),
  tokens: (tokens) => `${tokens} tokens`,
};

/** What was spent, in words: all calls, also those that came to nothing, which count as the most they can have cost. */
export function formatSpend({ calls, tokens, usd, used, cached }: SpentAmounts, words = englishSpend): string {
  if (calls === 0 && tokens === 0) return words.nothing;
  if (tokens === 0) return `${words.calls(calls)}, ${words.uncharged}`;
  const price = usd === null ? words.unknown : usd === 0 ? words.free : `$${usd.toFixed(4)}`;
  const beyond = tokens - used;
  const notes = [
    ...(cached > 0 ? [words.cached(cached.toLocaleString("en"))] : []),
    ...(beyond > 0 ? [words.beyond(beyond.toLocaleString("en"))] : []),
  ];
  const of = notes.length > 0 ? ` (${notes.join("; ")})` : "";
  return `${words.calls(calls)}, ${words.tokens(tokens.toLocaleString("en"))}${of}, ${price}`;
}
