import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { sha256 } from "../engine/hash.ts";
import { type EndpointConfig, resolveCallableUrl, shortenUrl } from "../players/endpoints.ts";
import { configuredEndpoint, findProvider, type Provider, providers } from "../players/providers.ts";
import { makePrivateFile, replaceFile } from "../store/replace-file.ts";
import { isPostgresAddress } from "../store/store.ts";
import { parseSharedSettings, readText, type UserConfig } from "./settings.ts";

type Env = Record<string, string | undefined>;

/** The hashes of the files that packs can load. */
export type PackCode = Record<string, string>;

const TrustedSchema = z.strictObject({
  file: z.string(),
  link: z.string().nullable(),
  hash: z.string(),
  code: z.record(z.string(), z.string()),
  at: z.string(),
});
type Trusted = z.infer<typeof TrustedSchema>;

export type Standing = {
  file: string;
  text: string;
  concerns: string[];
  trust: "not needed" | "trusted" | "changed" | "never trusted";
  changed: string[];
  code: PackCode | null;
};

/**
 * Throws if a configuration needs trust and is not trusted as it is. Returns its text and the code its packs may
 * load; null if the user's environment trusts everything.
 */
export function requireTrust(env: Env, file: string, cwd?: string): { text: string; code: PackCode | null } {
  if (env.PARLEY_TRUST === "1") return { text: readText(file), code: null };
  const { trust, concerns, changed, text, code } = judgeTrust(env, file, cwd);
  if (trust === "not needed" || trust === "trusted") return { text, code };
  const others = changed.filter((one) => one !== file);
  const also = others.length > 0 ? ` (${others.slice(0, 3).join(", ")}${others.length > 3 ? ", …" : ""})` : "";
  const why = trust === "changed" ? `has changed since it was trusted${also}` : "is not trusted yet";
  const wants = concerns.map((concern) => `\n  - it ${concern}`).join("");
  throw new ParleyError(
    "not_trusted",
    `${file} ${why}:${wants}\nRead it, then run: parley doctor trust${file.endsWith("/parley.config.yaml") ? "" : ` ${file}`}   (where nobody can do that: PARLEY_TRUST=1)`,
    { details: { file, concerns } },
  );
}

export function judgeTrust(env: Env, file: string, cwd = dirname(file)): Standing {
  const seen = lookAt(file);
  const { text, config, place } = seen;
  const link = seen.link === null ? [] : [`is a link to ${seen.link}`];
  // A name with a line break could pose as another concern.
  const list = (own: Env): string[] =>
    [...link, ...findConcerns(config, cwd, own)].map((one) => one.replaceAll(/[^\S ]/g, (mark) => encodeURI(mark)));
  const known = { file: place, text, changed: [], code: null };
  if (list(env).length === 0) return { ...known, concerns: [], trust: "not needed" };
  const concerns = list(withEveryKey(env, config));
  const record = locateRecord(env, place);
  if (!existsSync(record)) return { ...known, concerns, trust: "never trusted" };
  const trusted = readRecord(record);
  const changed = listChanged(trusted, seen);
  return { ...known, concerns, trust: changed.length === 0 ? "trusted" : "changed", changed, code: trusted.code };
}

type Seen = { place: string; link: string | null; text: string; config: UserConfig };

/** Reads a configuration; a link is judged by its own place, not its target's. */
function lookAt(file: string): Seen {
  const text = readText(file);
  const place = placeOf(file);
  const link = lstatSync(place).isSymbolicLink() ? realpathSync(place) : null;
  return { place, link, text, config: parseSharedSettings(text, file) };
}

function placeOf(file: string): string {
  return join(followLinks(dirname(file)), basename(file));
}

export function findConfigFolder(file: string): string {
  return dirname(realpathSync(file));
}

function readCodeOf({ place, config }: Seen): PackCode {
  return readPackCode(config.packs ?? [], findConfigFolder(place));
}

function listChanged(trusted: Trusted, seen: Seen): string[] {
  const isSame = trusted.file === seen.place && trusted.link === seen.link && trusted.hash === sha256(seen.text);
  if (!isSame) return [seen.place];
  const code = readCodeOf(seen);
  return [...new Set([...Object.keys(code), ...Object.keys(trusted.code)])].filter(
    (file) => code[file] !== trusted.code[file],
  );
}

/** The environment as if every key were set, because trust also covers keys that are set later. */
function withEveryKey(env: Env, { endpoints = [] }: UserConfig): Env {
  const named = endpoints.flatMap(({ name, key_env }) => key_env ?? findProvider(name)?.keyVariables[0] ?? []);
  return { ...env, ...Object.fromEntries(named.map((variable) => [variable, "set"])) };
}

export function trustFile(env: Env, file: string, now: Date): Trusted {
  const seen = lookAt(file);
  const { place, link, text } = seen;
  const trusted = { file: place, link, hash: sha256(text), code: readCodeOf(seen), at: now.toISOString() };
  const record = locateRecord(env, trusted.file);
  makePrivateFile(record);
  replaceFile(record, `${JSON.stringify(trusted)}\n`);
  return trusted;
}

export function distrustFile(env: Env, file: string): boolean {
  const record = locateRecord(env, placeOf(file));
  if (!existsSync(record)) return false;
  rmSync(record);
  return true;
}

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
    throw new ParleyError(
      "bad_config",
      `${record} is not a valid record of trust; remove it and trust the files again`,
      {
        cause,
      },
    );
  }
}

function locateRecord(env: Env, place: string): string {
  return join(locateRecords(env), `${sha256(place)}.json`);
}

function locateRecords(env: Env): string {
  return join(locateUserFolder(env), "trusted");
}

function findConcerns(config: UserConfig, cwd: string, env: Env): string[] {
  return [
    ...(config.packs ?? []).map((pack) => `runs the code of ${pack}`),
    ...(config.endpoints ?? []).flatMap((endpoint) => findEndpointConcerns(endpoint, env)),
    ...findStoreConcern(config.store, cwd),
    ...Object.keys(config.reviewers ?? {}).map((name) => `lets ${name} answer and contest at a server`),
  ];
}

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

export function findStoreConcern(store: string | undefined, folder: string): string[] {
  if (store === undefined) return [];
  if (isPostgresAddress(store)) return ["keeps runs in a database elsewhere"];
  const inner = resolve(folder, store);
  const listed = existsSync(inner) && lstatSync(followLinks(inner)).isDirectory() ? readdirSync(inner) : [];
  const places = [inner, ...listed.map((name) => join(inner, name))].map((place) => followLinks(place));
  const outside = places.find((place) => isOutside(followLinks(folder), place));
  return outside === undefined ? [] : [`keeps runs outside its folder, in ${outside}`];
}

function isOutside(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

function followLinks(path: string, links = 0): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  const folder = followLinks(dirname(path), links);
  const target = readLink(join(folder, basename(path)));
  if (target === null) return join(folder, basename(path));
  if (links === 40) throw new ParleyError("bad_config", `${path} is a link that leads to itself`);
  return followLinks(resolve(folder, target), links + 1);
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The user's own folder, outside any project, so that no project can supply its own trust record. */
export function locateUserFolder(env: Record<string, string | undefined>): string {
  return env.PARLEY_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), ".config"), "parley");
}

/**
 * Reads every file that packs can load, without running any: their own files, files named by path, and all code of
 * named packages. Others are refused when the pack asks for them.
 */
function readPackCode(names: readonly string[], folder: string): PackCode {
  const code: PackCode = {};
  const visit = (file: string): void => {
    if (code[file] !== undefined) return;
    const text = readFileSync(file);
    code[file] = sha256(text);
    if (isCode(file)) for (const next of listNamed(text.toString(), dirname(file))) visit(next);
  };
  for (const name of names) {
    const path = resolve(folder, name);
    for (const file of existsSync(path) ? findFile(path) : listPackage(name, folder)) visit(file);
  }
  return code;
}

function isCode(file: string): boolean {
  return /\.(?:[cm]?[jt]s|node|wasm)$/.test(file) && !/\.d\.[cm]?ts$/.test(file);
}

const imports = /(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;
const paths = /["'`]((?:\.{1,2}\/|\/|file:)[^"'`\n]+\.(?:[cm]?[jt]s|node|wasm))["'`]/g;

function listNamed(text: string, folder: string): string[] {
  const named = [...text.matchAll(imports), ...text.matchAll(paths)].map(([, name = ""]) => name);
  return [...new Set(named)].flatMap((name) => {
    if (module.isBuiltin(name) || /^(?:parley(?:\/|$)|#|data:)/.test(name)) return [];
    if (name.startsWith("file:")) return findFile(fileURLToPath(name));
    return /^\.{0,2}\//.test(name) ? findFile(resolve(folder, name)) : listPackage(name, folder);
  });
}

const endings = ["", ".js", ".json", ".node", ".cjs", ".mjs", ".ts", "/index.js", "/index.cjs", "/index.json"];

function findFile(path: string): string[] {
  const found = endings.map((ending) => path + ending).find((one) => existsSync(one) && statSync(one).isFile());
  return found === undefined ? [] : [realpathSync(found)];
}

function listPackage(name: string, folder: string): string[] {
  const [scope = "", inner] = name.split("/");
  const root = join(folder, "node_modules", scope.startsWith("@") ? join(scope, inner ?? "") : scope);
  if (existsSync(root))
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => (isCode(file) || file.endsWith("package.json")) && statSync(file).isFile())
      .map((file) => realpathSync(file));
  return dirname(folder) === folder ? [] : listPackage(name, dirname(folder));
}
