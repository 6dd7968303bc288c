import { ParleyError } from "../contract/error.ts";
import type { Player } from "../engine/player.ts";
import { buildCast, describeKeyUse, listUnpricedPlayers, parseCast } from "../players/cast.ts";
import type { CastOptions } from "../players/seat.ts";
import { embedderName } from "../players/model-player.ts";
import type { Store } from "../store/store.ts";
import { suggestName } from "../text/similar.ts";
import { readRun } from "./read-run.ts";
import type { CastOf } from "./start.ts";

/**
 * Casts from strings, with recordings from the store; a USD budget with a model of unknown price is refused at the start.
 * `tellKeyUse` is told, for every cast, which endpoints are asked and which key goes there.
 */
export function castOfStrings(
  store: Store,
  options: CastOptions = {},
  tellKeyUse: (line: string) => void = () => undefined,
): CastOf {
  return async (text, roles, budget) => {
    const names = roles.map((role) => role.name);
    const recorded = await readRecordings(store, text);
    const own: CastOptions = { ...options, roles, recordedTurns: (run) => recorded.get(run) ?? [] };
    const plan = parseCast(text, names, own);
    const unpriced = listUnpricedPlayers(plan, own);
    if (budget.usd !== undefined && unpriced.length > 0)
      throw new ParleyError(
        "bad_config",
        `a USD budget needs prices, and none is known for ${unpriced.join(", ")}; add it under \`prices\` in the config, or limit tokens instead`,
      );
    const cast = buildCast(plan, own);
    for (const line of describeKeyUse(plan, own)) tellKeyUse(line);
    return cast;
  };
}

export function withPlayers(
  castOf: CastOf,
  players: Readonly<Record<string, Player>>,
  others: Player | null = null,
): CastOf {
  if (Object.keys(players).length === 0 && others === null) return castOf;
  return async (text, roles, budget) => {
    const names = roles.map(({ name }) => name);
    const stray = Object.keys(players).find((name) => !names.includes(name));
    if (stray !== undefined)
      throw new ParleyError("bad_cast", `players: there is no role "${stray}"${suggestName(stray, names)}`);
    const named = new Set(text.split(",").map((part) => part.split("=")[0]?.trim()));
    const isNamed = (role: string): boolean => named.has(role);
    const rest = roles.filter(({ name }) => !Object.hasOwn(players, name) && (others === null || isNamed(name)));
    const cast = rest.length === 0 && !isNamed(embedderName) ? null : await castOf(text, rest, budget);
    return (role) => {
      const player = players[role] ?? (others !== null && !isNamed(role) ? others : cast?.(role));
      if (player) return player;
      throw new ParleyError("bad_cast", `nobody plays ${role}`);
    };
  };
}

async function readRecordings(store: Store, cast: string) {
  const runs = [...cast.matchAll(/(?:^|[=,])\s*recording\/([^,\s]+)/g)].map((match) => match[1] ?? "");
  return new Map(await Promise.all(runs.map(async (run) => [run, (await readRun(store, run)).turns] as const)));
}
