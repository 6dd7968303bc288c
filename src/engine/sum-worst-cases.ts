import type { WorstCase } from "../contract/budget.ts";

/** The cost of several calls together; an unknown price makes the sum unknown. */
export function sumWorstCases(parts: readonly WorstCase[]): WorstCase {
  return {
    calls: parts.reduce((total, part) => total + part.calls, 0),
    tokens: parts.reduce((total, part) => total + part.tokens, 0),
    usd: parts.some((part) => part.usd === null) ? null : parts.reduce((total, part) => total + (part.usd ?? 0), 0),
  };
}
