import { ParleyError } from "../contract/error.ts";
import type { Player, TurnContext } from "../engine/player.ts";
import { buildCast, describeKeyUse, listUnpricedPlayers, parseCast } from "../players/cast.ts";
import type { CastOptions } from "../players/endpoints.ts";
import { embedderName } from "../players/model-player.ts";
import type { Store } from "../store/store.ts";
import { suggestName } from "../text/similar.ts";
import { readRun } from "./read-run.ts";
import type { CastOf } from "./start.ts";
import * as z from "zod";
import { sha256 } from "../engine/hash.ts";
import type { Embed } from "../engine/pack.ts";
import { buildRequest } from "../engine/prompt.ts";
import { defineRole } from "../engine/role.ts";

/**
 * Builds casts from strings, with recordings from the store; a USD budget with an unpriced model is refused at the
 * start. `reportKeyUse` learns of each endpoint and the key sent to it.
 */
export function castOfStrings(
  store: Store,
  options: CastOptions = {},
  reportKeyUse: (line: string) => void = () => undefined,
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
    for (const line of describeKeyUse(plan, own)) reportKeyUse(line);
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

const VectorsSchema = z.strictObject({ vectors: z.array(z.array(z.number())) });

const embedder = defineRole<readonly string[], z.infer<typeof VectorsSchema>>({
  name: embedderName,
  reply: VectorsSchema,
  prompt: (texts) => ({ instructions: "", blocks: [], own: texts.map((text) => ({ label: "TEXT", text })) }),
});

export function namesEmbedder(cast: string): boolean {
  return cast.split(",").some((part) => part.split("=")[0]?.trim() === embedderName);
}

export function openEmbed(player: Player, store: Store, call: Pick<TurnContext, "reserve" | "signal">): Embed {
  return {
    model: player.id,
    async embed(texts) {
      const hashes = texts.map((text) => sha256(text));
      const known = await store.getVectors(player.id, hashes);
      const missing = new Map(
        texts.map((text, at) => [hashes[at] ?? "", text] as const).filter(([hash]) => !known.has(hash)),
      );
      if (missing.size > 0) {
        const made = await askFor(player, [...missing.values()], call);
        const fresh = new Map([...missing.keys()].map((hash, at) => [hash, made[at] ?? new Float32Array()] as const));
        await store.putVectors(player.id, fresh);
        for (const [hash, vector] of fresh) known.set(hash, vector);
      }
      return hashes.map((hash) => [...(known.get(hash) ?? [])]);
    },
  };
}

async function askFor(player: Player, texts: string[], call: Pick<TurnContext, "reserve" | "signal">) {
  const { prompt, rendered, requestHash } = buildRequest(embedder, texts);
  const key = { round: 0, step: "prepare", role: embedderName };
  const turn = { ...call, key, prompt, rendered, requestHash, seed: 0, repair: null, onText: () => undefined };
  const { reply } = await player.play(embedder, texts, turn);
  const made = VectorsSchema.safeParse("value" in reply ? reply.value : null).data?.vectors ?? [];
  const vectors = made.map((values) => Float32Array.from(values));
  const [first] = vectors;
  const isSound = (vector: Float32Array): boolean =>
    vector.length > 0 && vector.length === first?.length && vector.every((value) => Number.isFinite(value));
  if (vectors.length === texts.length && vectors.every(isSound)) return vectors;
  throw new ParleyError(
    "endpoint_failed",
    `${player.id} was asked to embed ${texts.length} texts, and did not give a vector of numbers for each, all of one length`,
  );
}
