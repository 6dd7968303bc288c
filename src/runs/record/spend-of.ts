import type { DebateResult } from "../../contract/result.ts";
import { formatSpend, type SpendWords } from "../../text/spend-text.ts";

/** What a run spent, in words. */
export function describeSpend({ spend, usage }: Pick<DebateResult, "spend" | "usage">, words?: SpendWords): string {
  const used = usage.inputTokens + usage.outputTokens;
  return formatSpend({ ...spend, used, cached: usage.cachedTokens }, words);
}
