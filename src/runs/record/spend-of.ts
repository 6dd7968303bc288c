import { fillIn, type FrameWords } from "../../contract/frame-words.ts";
import type { DebateResult } from "../../contract/result.ts";
import { formatSpend } from "../../text/spend-text.ts";

/** What a run spent, in words. */
export function describeSpend(
  { spend, usage }: Pick<DebateResult, "spend" | "usage">,
  words?: FrameWords["spend"],
): string {
  const amounts = { ...spend, used: usage.inputTokens + usage.outputTokens, cached: usage.cachedTokens };
  if (!words) return formatSpend(amounts);
  return formatSpend(amounts, {
    ...words,
    cached: (tokens) => fillIn(words.cached, { tokens }),
    beyond: (tokens) => fillIn(words.beyond, { tokens }),
    calls: (calls) => fillIn(words.calls, { calls }),
    tokens: (tokens) => fillIn(words.tokens, { tokens }),
  });
}
