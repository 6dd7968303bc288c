import type { WorstCase } from "../../contract/budget.ts";
import type { TurnContext } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { truncated } from "../../engine/read-reply.ts";
import { computeWorstCost } from "../calls/prices.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import type { CallOptions } from "./language-model.ts";
import { buildMessages } from "./model-messages.ts";
import { buildReplySchema } from "./reply-schema.ts";

/** One HTTP call before it is made: what is sent, how large it is, and how much may come back. */
export type PlannedCall = { options: CallOptions; bytes: number; outputLimit: number };

/** Plans the call of a turn. A repair of a reply that was cut off may be longer than the reply. */
export function planCall(
  seat: Pick<ConfiguredModel, "traits" | "settings">,
  role: AnyRole,
  turn: Pick<TurnContext, "prompt" | "rendered" | "repair" | "seed">,
): PlannedCall {
  const { traits, settings } = seat;
  const schema = buildReplySchema(role.reply);
  const { messages, bytes } = buildMessages(turn, traits, schema.text);
  const outputLimit = turn.repair?.problems.some(({ code }) => code === truncated)
    ? raiseLimit(settings)
    : settings.maxOutputTokens;
  const options: CallOptions = { prompt: messages, maxOutputTokens: outputLimit };
  if (traits.structuredOutput) options.responseFormat = { type: "json", schema: schema.strict, name: "reply" };
  if (traits.seed) options.seed = turn.seed;
  if (settings.temperature !== null) options.temperature = settings.temperature;
  if (settings.reasoning !== null) options.reasoning = settings.reasoning;
  return { options, bytes: bytes + (traits.structuredOutput ? schema.strictBytes : 0), outputLimit };
}

/** Four times the room, up to the ceiling; the same when there is no more to give. */
function raiseLimit({ maxOutputTokens, outputCeiling }: ModelSettings): number {
  return Math.max(maxOutputTokens, Math.min(4 * maxOutputTokens, outputCeiling));
}

/** True when a reply that is cut off at this limit would be cut off again. */
export function isLastLimit(settings: ModelSettings, outputLimit: number): boolean {
  return outputLimit >= raiseLimit(settings);
}

/** What providers may add to a request: a preamble for structured output, separators. */
const preambleTokens = 512;

/** A true upper bound: a token is at least one byte, and no more than the output limit comes back. */
export function estimateWorstCase(
  { price }: Pick<ConfiguredModel, "price">,
  { bytes, outputLimit }: Pick<PlannedCall, "bytes" | "outputLimit">,
): WorstCase {
  const input = bytes + preambleTokens;
  return { calls: 1, tokens: input + outputLimit, usd: computeWorstCost(price, input, outputLimit) };
}
