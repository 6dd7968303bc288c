import { ParleyError } from "../contract/error.ts";
import type { Cast, Player } from "../engine/player.ts";
import { suggestName } from "../text/similar.ts";
import { shortenText } from "../text/format.ts";
import { withRetry } from "./with-retry.ts";
import { type CastOptions, configureModel, findKey, listProviders, resolvePlace, shortenUrl } from "./endpoints.ts";
import { processLimiters, withRateLimit } from "./rate-limiter.ts";
import { configuredPlayer, embedderName, embeddingPlayer } from "./model-player.ts";
import { expertPlayer, recordingPlayer, recordedModel } from "./offline-players.ts";
import { personPlayer } from "./person.ts";
import {
  readSyntheticSettings,
  syntheticPlayer,
  type SyntheticSettings,
  writeSyntheticSettings,
} from "./synthetic-player.ts";

type Entry = { pattern: string | null; player: PlayerPlan };

/**
 * Parses a cast: `expert`, `openai/gpt-5-mini`, or `default,role=player,…`, where `critic*` stands for every role that
 * begins so, and `embedder=provider/model` adds an embedding model. The expert plays all other roles. Exact names win over
 * patterns, later patterns over earlier ones.
 */
export function parseCast(text: string, roleNames: readonly string[], options: CastOptions = {}): CastPlan {
  const entries = splitEntries(text).map((part) => readEntry(part, options));
  if (entries.length === 0)
    throw createCastError(`the cast is empty; name a player, such as expert or openai/gpt-5-mini`);
  rejectDuplicates(entries);
  const names = entries.some(({ pattern }) => pattern === embedderName) ? [...roleNames, embedderName] : roleNames;
  for (const { pattern } of entries)
    if (pattern !== null && !names.some((role) => matches(pattern, role)))
      throw createCastError(`unknown role "${shortenText(pattern)}"${suggestName(pattern, names)}`);
  return { text, roles: Object.fromEntries(names.map((role) => [role, playerOf(role, entries)])) };
}

const longestCast = 10_000;

function splitEntries(text: string): string[] {
  if (text.length > longestCast)
    throw createCastError(`the cast has ${text.length} characters; at most ${longestCast}`);
  return text
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Drops entries for roles that do not exist, for a variant of a debate with fewer roles. */
export function narrowCast(text: string, roleNames: readonly string[]): string {
  const all = splitEntries(text);
  const kept = all.filter((part) => {
    const pattern = /^([^(]*?)=/.exec(part)?.[1]?.trim();
    return pattern === undefined || pattern === embedderName || roleNames.some((role) => matches(pattern, role));
  });
  return kept.length === all.length ? text : kept.length === 0 ? "expert" : kept.join(",");
}

function playerOf(role: string, entries: Entry[]): PlayerPlan {
  const found =
    entries.find(({ pattern }) => pattern === role) ??
    entries.findLast(({ pattern }) => pattern !== null && matches(pattern, role)) ??
    entries.find(({ pattern }) => pattern === null);
  return found?.player ?? { kind: "expert" };
}

function readEntry(part: string, options: CastOptions): Entry {
  const at = /^[^(]*?=/.exec(part)?.[0].length ?? 0;
  if (at === 0) return { pattern: null, player: readPlayer(part, options) };
  const pattern = part.slice(0, at - 1).trim();
  if (pattern === "") throw createCastError(`"${shortenText(part)}" names no role; write role=player`);
  return { pattern, player: readPlayer(part.slice(at).trim(), options) };
}

export function readPlayers(text: string, options: CastOptions = {}): PlayerPlan[] {
  return splitEntries(text).map((part) => readPlayer(part, options));
}

/** Parses a player: `expert`, `person`, `recording/RUN`, `synthetic(accuracy=0.7)`, `recorded(mmlu- pro:gemini-1.5-pro-002)` or `provider/model`. */
export function readPlayer(text: string, options: CastOptions = {}): PlayerPlan {
  if (text === "expert" || text === "person") return { kind: text };
  const synthetic = /^synthetic(?:\((.*)\))?$/.exec(text);
  if (synthetic) return { kind: "synthetic", settings: readSyntheticSettings(synthetic[1] ?? "") };
  const recorded = /^recorded\(([^:]*):(.*)\)$/.exec(text);
  if (recorded) return { kind: "recorded", set: recorded[1]?.trim() ?? "", model: recorded[2]?.trim() ?? "" };
  const at = text.indexOf("/");
  const provider = at < 0 ? text : text.slice(0, at);
  const model = at < 0 ? "" : text.slice(at + 1).trim();
  const known = listProviders(options);
  if (provider !== "recording" && !known.includes(provider)) throw createUnknownPlayerError(text, provider, known);
  if (model === "")
    throw createCastError(
      `"${shortenText(text)}" lacks ${provider === "recording" ? "a run, as in recording/RUN" : `a model, as in ${provider}/MODEL`}`,
    );
  return provider === "recording" ? { kind: "recording", run: model } : { kind: "model", provider, model };
}

function createUnknownPlayerError(text: string, name: string, providers: string[]): ParleyError {
  const fixed = ["expert", "person", "recording/RUN", "synthetic(…)", "recorded(SET:MODEL)"];
  const known = [...fixed, ...providers.map((provider) => `${provider}/MODEL`)];
  const near = suggestName(name, ["expert", "person", "recording", ...providers]).replace(/ \(known: .*\)$/, "");
  const hint = near === "" && /\d/.test(text) && !text.includes("/") ? "; a model is written PROVIDER/MODEL" : near;
  return createCastError(`unknown player "${shortenText(text)}"${hint} (known: ${known.join(", ")})`);
}

function rejectDuplicates(entries: Entry[]): void {
  const twice = entries.find(({ pattern }, index) => entries.findIndex((one) => one.pattern === pattern) < index);
  if (!twice) return;
  const what = twice.pattern === null ? "two players for all roles" : `"${shortenText(twice.pattern)}" twice`;
  throw createCastError(`the cast names ${what}`);
}

function matches(pattern: string, role: string): boolean {
  return pattern.endsWith("*") ? role.startsWith(pattern.slice(0, -1)) : role === pattern;
}

function createCastError(message: string): ParleyError {
  return new ParleyError("bad_cast", message);
}

export type PlayerPlan =
  | { kind: "expert" }
  | { kind: "person" }
  | { kind: "recording"; run: string }
  | { kind: "synthetic"; settings: SyntheticSettings }
  | { kind: "recorded"; set: string; model: string }
  | { kind: "model"; provider: string; model: string };

type CastPlan = { text: string; roles: Record<string, PlayerPlan> };

export function playerNameOf(plan: PlayerPlan): string {
  if (plan.kind === "synthetic") return `synthetic(${writeSyntheticSettings(plan.settings)})`;
  if (plan.kind === "recorded") return `recorded(${plan.set}:${plan.model})`;
  if (plan.kind === "model") return `${plan.provider}/${plan.model}`;
  return plan.kind === "recording" ? `recording/${plan.run}` : plan.kind;
}

/** Builds the players of a cast. Missing keys, addresses, recordings and experts are found here, before anything is spent. */
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
    throw createCastError(`no player for role "${roleName}"${suggestName(roleName, Object.keys(plan.roles))}`);
  };
}

export function buildPlayer(plan: PlayerPlan, options: CastOptions = {}): Player {
  if (options.others && plan.kind !== "person") return options.others;
  if (plan.kind === "expert") return expertPlayer();
  if (plan.kind === "person") return personPlayer(options.person ?? null);
  if (plan.kind === "synthetic") return syntheticPlayer(plan.settings);
  if (plan.kind === "recorded") return recordedModel(plan.set, plan.model);
  if (plan.kind === "model") return buildModel(plan, options);
  if (options.recordedTurns === undefined)
    throw createCastError(`recording/${plan.run} cannot be played here: there is no store of earlier runs`);
  return recordingPlayer(options.recordedTurns(plan.run), { id: playerNameOf(plan) });
}

function buildEmbedder(plan: PlayerPlan, options: CastOptions): Player {
  const isModel = plan.kind === "model";
  if (isModel && resolvePlace(plan, options).provider.embeds) return buildModel(plan, options, embeddingPlayer);
  const why = isModel ? "this provider has no embedding models" : "only a model can embed texts";
  throw createCastError(`${embedderName}=${playerNameOf(plan)}: ${why}`);
}

function buildModel(
  plan: Extract<PlayerPlan, { kind: "model" }>,
  options: CastOptions,
  play = configuredPlayer,
): Player {
  const place = resolvePlace(plan, options);
  const configured = configureModel(place, options);
  const limiters = options.limiters ?? processLimiters;
  const limiter = limiters.limiterFor(`${place.baseUrl} ${configured.keyName}`, place.limits);
  return withRetry(withRateLimit(play(configured), limiter), options.retry);
}

function rejectMissingExperts(plan: CastPlan, { roles = [] }: CastOptions): void {
  const without = roles.filter((role) => plan.roles[role.name]?.kind === "expert" && role.expert === undefined);
  if (without.length === 0) return;
  const having = roles.filter((role) => role.expert !== undefined).map((role) => role.name);
  const known = having.length === 0 ? "" : ` (roles with an expert: ${having.join(", ")})`;
  const names = without.map((role) => role.name).join(", ");
  throw createCastError(`no expert for ${names}: cast a model or a person${known}`);
}

/** Models without a known price, for which a USD budget cannot be kept. */
export function listUnpricedPlayers(plan: CastPlan, options: CastOptions = {}): string[] {
  const unpriced = Object.values(plan.roles).flatMap((player) =>
    player.kind === "model" && resolvePlace(player, options).price === null ? [playerNameOf(player)] : [],
  );
  return [...new Set(unpriced)].sort();
}

export function describeKeyUse(plan: CastPlan, options: CastOptions): string[] {
  const lines = Object.values(plan.roles).flatMap((player) => {
    if (player.kind !== "model") return [];
    const { baseUrl, keyVariables } = resolvePlace(player, options);
    const key = findKey(keyVariables, options.env ?? process.env);
    return [`${player.provider} at ${shortenUrl(baseUrl)}, ${key === undefined ? "without a key" : `with ${key}`}`];
  });
  return [...new Set(lines)].sort();
}
