import type { Player } from "../../src/engine/player.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { compatible, type ConfiguredModel, defaultSettings, type LanguageModel } from "../../src/players/providers.ts";
import { configuredPlayer } from "../../src/players/model-player.ts";
import { createRateLimiter, withRateLimit } from "../../src/players/rate-limiter.ts";
import { withRetry } from "../../src/players/with-retry.ts";
import { type CastOf, startRun } from "../../src/runs/start.ts";
import type { Store } from "../../src/store/store.ts";
import { config, newQuestion } from "./debate-case.ts";

/** A model that plays, retried and rate-limited as the command line's is. */
export function playerOfModel(model: LanguageModel, concurrency = Number.POSITIVE_INFINITY): Player {
  const configured: ConfiguredModel = {
    id: "bench/mock",
    model: "mock",
    endpoint: "in process",
    load: async () => ({ model, embedding: null }),
    traits: compatible.traits,
    settings: defaultSettings,
    isWatched: false,
    price: null,
    keyName: null,
    keys: [],
    secrets: [],
  };
  const limits = {
    concurrency,
    requestsPerMinute: Number.POSITIVE_INFINITY,
    tokensPerMinute: Number.POSITIVE_INFINITY,
  };
  return withRetry(withRateLimit(configuredPlayer(configured), createRateLimiter(limits)));
}

/** A cast of one player in every role. */
export function castOfPlayer(player: Player): CastOf {
  return async () => () => player;
}

/** The bench debate as Parley runs it, from the request to the stored result; throws when it was not decided. */
export async function parleyDebate(store: Store, castOf: CastOf, cast = "bench/mock"): Promise<void> {
  const { finished } = await startRun({ store, castOf }, { pack, input: { question: newQuestion() }, config, cast });
  const { outcome, reasons, quorum } = finished.result;
  if (outcome !== "decided" || quorum.asked !== 10 || quorum.repaired > 0)
    throw new Error(`the bench debate went wrong: ${outcome}, ${JSON.stringify(quorum)} ${reasons.join("; ")}`);
}
