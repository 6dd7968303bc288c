import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { EndpointConfig } from "../../players/cast/cast-options.ts";
import { resolveCallableUrl, shortenUrl } from "../../players/cast/endpoint-url.ts";
import { configuredEndpoint, findProvider, type Provider, providers } from "../../players/model/providers.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import type { UserConfig } from "../settings/user-config.ts";

type Env = Record<string, string | undefined>;

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
