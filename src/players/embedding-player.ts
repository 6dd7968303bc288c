import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Played, Player, TurnContext } from "../engine/player.ts";
import { factsOf, throwIfInterrupted } from "./with-retry.ts";
import { computeCost, computeWorstCost } from "./prices.ts";
import { withPatience } from "./call-model.ts";
import type { ConfiguredModel, EmbeddingModel } from "./providers.ts";

/** The name under which a cast has an embedding model: `embedder=openai/text-embedding-3-small`. */
export const embedderName = "embedder";

/** A model that embeds texts: its input is a list of texts, its reply their vectors. */
export function embeddingPlayer(seat: ConfiguredModel): Player {
  if (!seat.loadEmbedding)
    throw new ParleyError("bad_cast", `${seat.id} has no embedding models; cast ${embedderName} to another provider`);
  return { id: seat.id, play: async (_role, input, turn) => playEmbedding(seat, input as string[], turn) };
}

/** One reservation and one HTTP call, the vectors as they came. */
async function playEmbedding(seat: ConfiguredModel, texts: string[], turn: TurnContext): Promise<Played> {
  const model = await (seat.loadEmbedding as NonNullable<ConfiguredModel["loadEmbedding"]>)();
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const reservation = await turn.reserve({ calls: 1, tokens: bytes, usd: computeWorstCost(seat.price, bytes, 0) });
  if (turn.signal.aborted) reservation.settle(noCost);
  throwIfInterrupted(turn.signal);
  const { embeddings, usage } = await embed(seat, model, texts, turn).catch((error: unknown) => {
    if (factsOf(error)?.spent === "nothing") reservation.settle({ calls: 1, tokens: 0, usd: 0 });
    throw error;
  });
  const inputTokens = Math.ceil(usage?.tokens ?? bytes / 4);
  const tokens = { inputTokens, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  const cost = computeCost(seat.price, { ...tokens, cacheWriteTokens: 0 });
  const costUsd = usage !== undefined || cost === 0 ? cost : null;
  if (usage !== undefined) reservation.settle({ calls: 1, tokens: inputTokens, usd: costUsd });
  return { reply: { value: { vectors: embeddings } }, usage: { calls: 1, ...tokens, costUsd }, finish: null };
}

function embed(
  { endpoint, model, keyName, secrets, settings }: ConfiguredModel,
  embedder: EmbeddingModel,
  values: string[],
  turn: TurnContext,
) {
  const call = { endpoint, model, keyName, secrets, nowMs: Date.now };
  const patience = { signal: turn.signal, totalMs: settings.totalTimeoutMs, chunkMs: settings.chunkTimeoutMs };
  return withPatience(patience, call, async (abortSignal) => embedder.doEmbed({ values, abortSignal }));
}
