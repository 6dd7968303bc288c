import type { CastOptions } from "./cast-options.ts";
import type { CastPlan } from "./cast-plan.ts";
import { shortenUrl } from "./endpoint-url.ts";
import { resolvePlace } from "./resolve-seat.ts";

/** Where the models of a cast are asked and which variable's key goes there, each once; no key is in it. */
export function describeKeyUse(plan: CastPlan, options: CastOptions): string[] {
  const env = options.env ?? process.env;
  const lines = Object.values(plan.roles).flatMap((player) => {
    if (player.kind !== "model") return [];
    const { baseUrl, keyVariables } = resolvePlace(player, options);
    const key = keyVariables.find((name) => (env[name] ?? "") !== "");
    return [`${player.provider} at ${shortenUrl(baseUrl)}, ${key === undefined ? "without a key" : `with ${key}`}`];
  });
  return [...new Set(lines)].sort();
}
