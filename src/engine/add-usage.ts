import { noUsage, type Usage } from "../contract/usage.ts";

/** The sum of two usages; an unknown cost makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

/** The usage of many calls, turns or runs together. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, noUsage);
}
