import { ParleyError } from "../../contract/error.ts";
import type { Cast, Player } from "../../engine/player.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { withRetry } from "../calls/with-retry.ts";
import { processLimiters } from "../limits/rate-limiters.ts";
import { withRateLimit } from "../limits/with-rate-limit.ts";
import { embedderName, embeddingPlayer } from "../model/embedding-player.ts";
import { configuredPlayer } from "../model/model-player.ts";
import { expertPlayer } from "../offline/expert-player.ts";
import { recordedModel } from "../offline/recorded-model.ts";
import { recordingPlayer } from "../offline/recording-player.ts";
import { syntheticPlayer } from "../synthetic/synthetic-player.ts";
import { personPlayer } from "../person/person-player.ts";
import type { CastOptions } from "./cast-options.ts";
import { type CastPlan, type PlayerPlan, playerNameOf } from "./cast-plan.ts";
import { resolvePlace, configureModel } from "./resolve-seat.ts";

/** The players of a cast. Missing keys, addresses, recordings and experts are found here, before anything is spent. */
export function buildCast(plan: CastPlan, options: CastOptions = {}): Cast {
  rejectMissingExperts(plan, options);
  const players = new Map<string, Player>();
  const { [embedderName]: embedder, ...roles } = plan.roles;
  for (const player of Object.values(roles)) {
    const name = playerNameOf(player);
    if (!players.has(name)) players.set(name, buildPlayer(player, options));
  }
  const embedding = embedder && buildEmbedder(embedder, options);
  return (roleName) => {
    if (roleName === embedderName && embedding) return embedding;
    const role = Object.hasOwn(plan.roles, roleName) ? plan.roles[roleName] : undefined;
    const player = role === undefined ? undefined : players.get(playerNameOf(role));
    if (player !== undefined) return player;
    throw new ParleyError(
      "bad_cast",
      `no player for role "${roleName}"${suggestName(roleName, Object.keys(plan.roles))}`,
    );
  };
}

/** One player of a plan. */
export function buildPlayer(plan: PlayerPlan, options: CastOptions = {}): Player {
  if (options.others && plan.kind !== "person") return options.others;
  const build = builders[plan.kind] as (plan: PlayerPlan, options: CastOptions) => Player;
  return build(plan, options);
}

const builders: { [K in PlayerPlan["kind"]]: (plan: PlanOf<K>, options: CastOptions) => Player } = {
  expert: (_, options) => expertPlayer(options.roles ?? []),
  person: (_, options) => personPlayer(options.person ?? null),
  recording: (plan, options) => recordingPlayer(turnsOf(plan.run, options), { id: playerNameOf(plan) }),
  recorded: (plan) => recordedModel(plan.set, plan.model),
  synthetic: (plan) => syntheticPlayer(plan.settings),
  model: (plan, options) => buildModel(plan, options),
};
type PlanOf<K extends PlayerPlan["kind"]> = Extract<PlayerPlan, { kind: K }>;

function buildEmbedder(plan: PlayerPlan, options: CastOptions): Player {
  if (plan.kind === "model") return buildModel(plan, options, embeddingPlayer);
  throw new ParleyError("bad_cast", `${embedderName}=${playerNameOf(plan)}: only a model can embed texts`);
}

/** A model with its retry and the rate limits of its endpoint and its own. */
function buildModel(plan: PlanOf<"model">, options: CastOptions, play = configuredPlayer): Player {
  const place = resolvePlace(plan, options);
  const seat = configureModel(place, options);
  const limiters = options.limiters ?? processLimiters;
  const endpoint = `${place.baseUrl} ${seat.keyName}`;
  const limiter = limiters.limiterFor(endpoint, place.limits);
  const player = play(seat);
  // A model's own limit is waited for first, so that who waits there keeps no other model of the endpoint waiting.
  const limited = place.modelLimits
    ? withRateLimit(player, limiters.limiterFor(`${endpoint} ${plan.model}`, place.modelLimits))
    : player;
  return withRetry(withRateLimit(limited, limiter), options.retry);
}

function turnsOf(run: string, options: CastOptions) {
  if (options.recordedTurns === undefined)
    throw new ParleyError("bad_cast", `recording/${run} cannot be played here: there is no store of earlier runs`);
  return options.recordedTurns(run);
}

function rejectMissingExperts(plan: CastPlan, { roles = [] }: CastOptions): void {
  const without = roles.filter((role) => plan.roles[role.name]?.kind === "expert" && role.expert === undefined);
  if (without.length === 0) return;
  const having = roles.filter((role) => role.expert !== undefined).map((role) => role.name);
  const names = without.map((role) => role.name).join(", ");
  throw new ParleyError(
    "bad_cast",
    `no expert for ${names}: cast a model or a person${having.length === 0 ? "" : ` (roles with an expert: ${having.join(", ")})`}`,
  );
}
