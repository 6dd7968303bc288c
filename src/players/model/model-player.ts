import { noCost, type WorstCase } from "../../contract/budget.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Played, Player, TurnContext } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { factsOf } from "../calls/failure-facts.ts";
import { throwIfInterrupted } from "../calls/interruption.ts";
import { computeCost, type Price, computeWorstCost } from "../calls/prices.ts";
import { scrubKnown, scrubStream } from "../calls/secrets.ts";
import { generateReply, type Reply, streamReply } from "./call-model.ts";
import type { FailedCall } from "./endpoint-failure.ts";
import type { CallOptions, EmbeddingModel, LanguageModel, Traits } from "./language-model.ts";
import { buildMessages } from "./model-messages.ts";
import { playEmbedding } from "./play-embedding.ts";
import { buildReplySchema } from "./reply-schema.ts";

/** How a model is asked. */
export type ModelSettings = {
  maxOutputTokens: number;
  temperature: number | null;
  reasoning: CallOptions["reasoning"] | null;
  totalTimeoutMs: number;
  /** The longest silence inside a streamed reply. */
  chunkTimeoutMs: number;
  stream: boolean;
};

export const defaultSettings: ModelSettings = {
  maxOutputTokens: 8192,
  temperature: null,
  reasoning: null,
  totalTimeoutMs: 300_000,
  chunkTimeoutMs: 60_000,
  stream: false,
};

/** A model at an endpoint. */
export type ConfiguredModel = {
  id: string;
  model: string;
  /** The endpoint's address, for messages. */
  endpoint: string;
  /** Loaded at the first turn. */
  load(): Promise<LanguageModel>;
  /** For roles that embed texts; a provider without embeddings has none. */
  loadEmbedding?(): Promise<EmbeddingModel>;
  traits: Traits;
  settings: ModelSettings;
  price: Price | null;
  keyName: string | null;
  /** What no reply may repeat, and what no error may. */
  keys: readonly string[];
  secrets: readonly string[];
};

/** What providers may add to a request: a preamble for structured output, separators. */
const preambleTokens = 512;

/** A model that plays a role: one reservation and one HTTP call per turn, and the raw reply whatever it is. */
export function modelPlayer(seat: ConfiguredModel): Player {
  let loading: Promise<LanguageModel> | null = null;
  return {
    id: seat.id,
    async play(role, input, turn): Promise<Played> {
      throwIfInterrupted(turn.signal);
      if (role.embeds) return playEmbedding(seat, role.embeds(input), turn);
      loading ??= seat.load();
      const model = await loading;
      const request = requestFor(seat, role, turn);
      const reservation = await turn.reserve(estimateWorstCase(seat, request.bytes));
      if (turn.signal.aborted) reservation.settle(noCost);
      throwIfInterrupted(turn.signal);
      const reply = await call(seat, model, request.options, turn).catch((error: unknown) => {
        if (factsOf(error)?.spent === "nothing") reservation.settle({ calls: 1, tokens: 0, usd: 0 });
        throw error;
      });
      const used = usageOf(seat, reply, request.bytes);
      if (used.settled !== null) reservation.settle(used.settled);
      return { reply: { text: scrubKnown(reply.text, seat.keys) }, usage: used.usage, finish: reply.finish };
    },
  };
}

function requestFor(seat: ConfiguredModel, role: AnyRole, turn: TurnContext): { options: CallOptions; bytes: number } {
  const { traits, settings } = seat;
  const schema = buildReplySchema(role.reply);
  const { messages, bytes } = buildMessages(turn.prompt, turn.repair, traits, schema.text);
  const options: CallOptions = { prompt: messages, maxOutputTokens: settings.maxOutputTokens };
  if (traits.structuredOutput) options.responseFormat = { type: "json", schema: schema.strict, name: "reply" };
  if (traits.seed) options.seed = turn.seed;
  if (settings.temperature !== null) options.temperature = settings.temperature;
  if (settings.reasoning !== null) options.reasoning = settings.reasoning;
  return { options, bytes: bytes + (traits.structuredOutput ? schema.strictBytes : 0) };
}

function call(seat: ConfiguredModel, model: LanguageModel, options: CallOptions, turn: TurnContext): Promise<Reply> {
  const { endpoint, keyName, secrets, settings } = seat;
  const failed: FailedCall = { endpoint, model: seat.model, keyName, secrets, nowMs: Date.now };
  const patience = { signal: turn.signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs };
  if (!settings.stream) return generateReply(model, options, failed, patience);
  const scrubbed = scrubStream(seat.keys, turn.onText);
  return streamReply(model, options, failed, { ...patience, onText: scrubbed.push }).finally(scrubbed.end);
}

/** A true upper bound: a token is at least one byte, and no more than the output limit comes back. */
function estimateWorstCase(seat: ConfiguredModel, bytes: number): WorstCase {
  const { maxOutputTokens } = seat.settings;
  const input = bytes + preambleTokens;
  return { calls: 1, tokens: input + maxOutputTokens, usd: computeWorstCost(seat.price, input, maxOutputTokens) };
}

/** What the call cost; when the endpoint does not say, tokens are estimated and the reservation stays spent. */
function usageOf(seat: ConfiguredModel, reply: Reply, bytes: number): { usage: Usage; settled: WorstCase | null } {
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
