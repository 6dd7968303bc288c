import type { WorstCase } from "../../contract/budget.ts";
import type { Usage } from "../../contract/usage.ts";
import { computeCost } from "../calls/prices.ts";
import type { Reply } from "./call-model.ts";
import type { ConfiguredModel } from "./configured-model.ts";

/** What the call cost; when the endpoint does not say, tokens are estimated and the reservation stays spent. */
export function measureUsage(
  seat: ConfiguredModel,
  reply: Reply,
  bytes: number,
): { usage: Usage; settled: WorstCase | null } {
  const { inputTokens: input, outputTokens: output } = reply.usage;
  const known = input.total !== undefined && output.total !== undefined;
  const tokens = {
    inputTokens: count(input.total ?? bytes / 4),
    outputTokens: count(output.total ?? Buffer.byteLength(reply.text) / 4),
    cachedTokens: count(input.cacheRead ?? 0),
    reasoningTokens: count(output.reasoning ?? 0),
  };
  const cost = computeCost(seat.price, { ...tokens, cacheWriteTokens: count(input.cacheWrite ?? 0) });
  const costUsd = known || cost === 0 ? cost : null;
  const usage: Usage = { calls: 1, ...tokens, costUsd };
  return {
    usage,
    settled: known ? { calls: 1, tokens: tokens.inputTokens + tokens.outputTokens, usd: costUsd } : null,
  };
}

function count(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : 0;
}
