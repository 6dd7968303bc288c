import type { CastOptions } from "./cast-options.ts";
import { type CastPlan, type PlayerPlan, playerNameOf } from "./cast-plan.ts";
import { shortenUrl } from "./endpoint-url.ts";
import { resolvePlace } from "./resolve-seat.ts";

/** A player as a manifest records it. */
export type PlayerDescription = { kind: string } & Record<string, unknown>;

/** The cast for a run's manifest: who plays each role, where and with which settings; no secret is in it. */
export function describeCast(plan: CastPlan, options: CastOptions = {}): Record<string, PlayerDescription> {
  return Object.fromEntries(
    Object.entries(plan.roles).map(([role, player]) => [role, describePlayer(player, options)]),
  );
}

function describePlayer(plan: PlayerPlan, options: CastOptions): PlayerDescription {
  if (plan.kind !== "model") return { ...plan };
  const { baseUrl, settings, structuredOutput } = resolvePlace(plan, options);
  const { maxOutputTokens, temperature, reasoning } = settings;
  const asked = { max_output_tokens: maxOutputTokens, temperature, reasoning, structured_output: structuredOutput };
  return { ...plan, endpoint: shortenUrl(baseUrl), ...asked };
}

/** The models of a cast whose price is unknown: a USD budget cannot be kept with them. */
export function listUnpricedPlayers(plan: CastPlan, options: CastOptions = {}): { unpriced: string[] } {
  const unpriced = Object.values(plan.roles).flatMap((player) =>
    player.kind === "model" && resolvePlace(player, options).price === null ? [playerNameOf(player)] : [],
  );
  return { unpriced: [...new Set(unpriced)].sort() };
}
