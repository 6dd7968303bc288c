import { ParleyError } from "../../contract/error.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { shortenText } from "../../text/short-text.ts";
import { readSyntheticSettings } from "../synthetic/settings.ts";
import { embedderName } from "../model/embedding-player.ts";
import { providerNames } from "../model/providers.ts";
import type { CastOptions } from "./cast-options.ts";
import type { CastPlan, PlayerPlan } from "./cast-plan.ts";

type Entry = { pattern: string | null; player: PlayerPlan };

/**
 * Reads a cast: `expert`, `openai/gpt-5-mini`, or `default,role=player,…`, where a role may be a pattern (`critic*`).
 * `embedder=provider/model` gives the debate an embedding model. Roles that no entry covers are played by the expert; an exact role name wins over a pattern, and a later pattern over an earlier one.
 */
export function parseCast(text: string, roleNames: readonly string[], options: CastOptions = {}): CastPlan {
  const entries = splitEntries(text).map((part) => readEntry(part, options));
  if (entries.length === 0)
    throw createCastError(`the cast is empty; name a player, such as expert or openai/gpt-5-mini`);
  rejectDuplicates(entries);
  const names = entries.some(({ pattern }) => pattern === embedderName) ? [...roleNames, embedderName] : roleNames;
  for (const { pattern } of entries) if (pattern !== null) rejectUnknownRole(pattern, names);
  return { text, roles: Object.fromEntries(names.map((role) => [role, playerOf(role, entries)])) };
}

function splitEntries(text: string): string[] {
  return text
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A cast without the entries that no role answers to: for a variant of a debate that has fewer roles. */
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
    entries.findLast(({ pattern }) => pattern?.includes("*") && matches(pattern, role)) ??
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

/** Reads a list of players without roles. */
export function readPlayers(text: string, options: CastOptions = {}): PlayerPlan[] {
  return splitEntries(text).map((part) => readPlayer(part, options));
}

/** Reads a player: `expert`, `person`, `recording/RUN`, `synthetic(accuracy=0.7)`, `recorded(mmlu-pro:gemini-1.5-pro-002)` or `provider/model`. */
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
      `"${shortenText(text)}" lacks what comes after the slash: ${provider === "recording" ? "a run" : "a model"}`,
    );
  return provider === "recording" ? { kind: "recording", run: model } : { kind: "model", provider, model };
}

/** The providers that a cast can name, built in and from the config. */
export function listProviders(options: CastOptions): string[] {
  return [...new Set([...providerNames, ...(options.endpoints ?? []).map((endpoint) => endpoint.name)])];
}

function createUnknownPlayerError(text: string, name: string, providers: string[]): ParleyError {
  const known = [
    "expert",
    "person",
    "recording/RUN",
    "synthetic(…)",
    "recorded(SET:MODEL)",
    ...providers.map((provider) => `${provider}/MODEL`),
  ];
  const hint = suggestName(name, ["expert", "person", "recording", ...providers]).replace(/ \(known: .*\)$/, "");
  return createCastError(`unknown player "${shortenText(text)}"${hint} (known: ${known.join(", ")})`);
}

function rejectUnknownRole(pattern: string, roleNames: readonly string[]): void {
  if (roleNames.some((role) => matches(pattern, role))) return;
  throw createCastError(`unknown role "${shortenText(pattern)}"${suggestName(pattern, roleNames)}`);
}

function rejectDuplicates(entries: Entry[]): void {
  const seen = new Set<string | null>();
  for (const { pattern } of entries) {
    if (seen.has(pattern))
      throw createCastError(
        pattern === null
          ? "the cast names two players for all roles"
          : `the cast names "${shortenText(pattern)}" twice`,
      );
    seen.add(pattern);
  }
}

/** Whether a role fits a pattern in which `*` stands for any text; the parts are found from left to right, without going back. */
function matches(pattern: string, role: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return role === pattern;
  if (!role.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = role.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return role.length - last.length >= at && role.endsWith(last);
}

function createCastError(message: string): ParleyError {
  return new ParleyError("bad_cast", message);
}
