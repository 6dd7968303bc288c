import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import type { EndpointConfig } from "../players/cast-options.ts";
import { resolveCallableUrl, shortenUrl } from "../players/seat.ts";
import { configuredEndpoint, findProvider, type Provider, providers } from "../players/providers.ts";
import { makePrivateFile } from "../store/make-folder.ts";
import { isPostgresAddress } from "../store/postgres-address.ts";
import { replaceFile } from "../store/replace-file.ts";
import { parseSharedSettings, readText, type UserConfig } from "./user-config.ts";

type Env = Record<string, string | undefined>;

const TrustedSchema = z.strictObject({ file: z.string(), hash: z.string(), at: z.string() });
/** A configuration that its user has read and trusts, as it was then. */
export type Trusted = z.infer<typeof TrustedSchema>;

/** How a configuration stands: what it would do that needs trust, and whether it has it. */
export type Standing = {
  file: string;
  concerns: string[];
  trust: "not needed" | "trusted" | "changed" | "never trusted";
};

/** Throws unless a configuration may do what it says: most may, the others must be trusted as they are. */
export function requireTrust(env: Env, file: string): void {
  if (env.PARLEY_TRUST === "1") return;
  const { trust, concerns } = judgeTrust(env, file);
  if (trust === "not needed" || trust === "trusted") return;
  const why = trust === "changed" ? "has changed since it was trusted" : "is not trusted yet";
  const wants = concerns.map((concern) => `\n  - it ${concern}`).join("");
  throw new ParleyError(
    "not_trusted",
    `${file} ${why}:${wants}\nRead it, then say: parley doctor trust${file.endsWith("/parley.config.yaml") ? "" : ` ${file}`}   (where nobody can: PARLEY_TRUST=1)`,
    { details: { file, concerns } },
  );
}

/** Looks at a configuration; nothing of it is run. */
export function judgeTrust(env: Env, file: string): Standing {
  const text = readText(file);
  const place = realpathSync(file);
  const config = parseSharedSettings(text, file);
  if (findConcerns(config, dirname(file), env).length === 0) return { file: place, concerns: [], trust: "not needed" };
  const concerns = findConcerns(config, dirname(file), withEveryKey(env, config));
  const record = locateRecord(env, place);
  if (!existsSync(record)) return { file: place, concerns, trust: "never trusted" };
  const { file: known, hash } = readRecord(record);
  return { file: place, concerns, trust: known === place && hash === hashText(text) ? "trusted" : "changed" };
}

/** The environment as if every key were set: trust covers those that are set later, so they are told now. */
function withEveryKey(env: Env, { endpoints = [] }: UserConfig): Env {
  const named = endpoints.flatMap(({ name, key_env }) => key_env ?? findProvider(name)?.keyVariables[0] ?? []);
  return { ...env, ...Object.fromEntries(named.map((variable) => [variable, "set"])) };
}

/** Trusts a configuration as it is now; a change of it ends that. */
export function trustFile(env: Env, file: string, now: Date): Trusted {
  const trusted = { file: realpathSync(file), hash: hashText(readText(file)), at: now.toISOString() };
  const record = locateRecord(env, trusted.file);
  makePrivateFile(record);
  replaceFile(record, `${JSON.stringify(trusted)}\n`);
  return trusted;
}

/** Ends the trust in a configuration, also in one that is gone; false when there was none. */
export function distrustFile(env: Env, file: string): boolean {
  const record = locateRecord(env, existsSync(file) ? realpathSync(file) : file);
  if (!existsSync(record)) return false;
  rmSync(record);
  return true;
}

/** Every configuration that is trusted, by its place. */
export function listTrusted(env: Env): Trusted[] {
  const folder = locateRecords(env);
  const records = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const trusted = records.map((name) => readRecord(join(folder, name)));
  return trusted.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function readRecord(record: string): Trusted {
  try {
    return TrustedSchema.parse(JSON.parse(readFileSync(record, "utf8")));
  } catch (cause) {
    throw new ParleyError("bad_config", `${record} does not say what is trusted; remove it, and trust that again`, {
      cause,
    });
  }
}

/** One record for each configuration: two that are trusted at the same moment do not meet. */
function locateRecord(env: Env, place: string): string {
  return join(locateRecords(env), `${hashText(place)}.json`);
}

function locateRecords(env: Env): string {
  return join(locateUserFolder(env), "trusted");
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What a configuration would do that its folder alone may not ask for, each in a few words; none for most. */
export function findConcerns(config: UserConfig, folder: string, env: Env): string[] {
  return [
    ...(config.packs ?? []).map((pack) => `runs the code of ${pack}`),
    ...(config.endpoints ?? []).flatMap((endpoint) => findEndpointConcerns(endpoint, env)),
    ...findStoreConcern(config.store, folder),
    ...(config.telemetry?.content ? ["sends what is said in debates to the collector of the environment"] : []),
  ];
}

/** Keys go where they belong, and text where the user or a provider says: anything else is of concern. */
function findEndpointConcerns({ name, base_url, key_env }: EndpointConfig, env: Env): string[] {
  const provider = findProvider(name) ?? configuredEndpoint;
  const given = base_url ?? listOwnAddresses(provider, env)[0];
  const url = given === undefined ? null : resolveCallableUrl(given, provider);
  if (url === null) return [];
  const variables = key_env === undefined ? provider.keyVariables : [key_env];
  const strays = variables.filter((variable) => (env[variable] ?? "") !== "" && !isHome(variable, url, env));
  if (strays.length > 0) return strays.map((variable) => `sends ${variable} to ${shortenUrl(url)}`);
  const isKnown = isLoopback(url) || listOwnAddresses(provider, env).some((own) => isSameOrigin(own, url));
  return isKnown ? [] : [`sends what is asked to ${shortenUrl(url)}`];
}

/** True when a key belongs to an address: its provider is there, or the user's environment says that it is. */
function isHome(variable: string, url: string, env: Env): boolean {
  const owners = Object.values<Provider>(providers).filter(({ keyVariables }) => keyVariables.includes(variable));
  return owners.some((owner) => listOwnAddresses(owner, env).some((own) => isSameOrigin(own, url)));
}

function listOwnAddresses(provider: Provider, env: Env): string[] {
  const said = provider.baseUrlVariables.flatMap((variable) => env[variable] || []);
  return [...said, provider.baseUrl ?? []].flat().flatMap((one) => resolveCallableUrl(one, provider) ?? []);
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function findStoreConcern(store: string | undefined, folder: string): string[] {
  if (store === undefined) return [];
  if (isPostgresAddress(store)) return ["keeps runs in a database elsewhere"];
  const place = followLinks(resolve(folder, store));
  const way = relative(followLinks(folder), place);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isOutside ? [`keeps runs outside its folder, in ${place}`] : [];
}

/** The place behind links, also of what is not there yet. */
function followLinks(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  return join(followLinks(dirname(path)), basename(path));
}

/** Where what belongs to the user lies, and to no project: so that no folder brings its own. */
export function locateUserFolder(env: Record<string, string | undefined>): string {
  return env.PARLEY_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), ".config"), "parley");
}
