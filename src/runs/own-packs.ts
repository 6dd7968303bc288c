import { readFileSync, statSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";
import { definePack } from "../engine/define-pack.ts";
import { sha256 } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import { addPack, type PackOrigin, packNames } from "../packs/registry.ts";
import { isRecord } from "../text/json.ts";
import type { PackCode } from "./trust.ts";
import { settingNames } from "./settings.ts";

/**
 * Loads the user's packs, files in `folder` or packages installed there, and registers them. With `seen`, only files
 * that were read when the user trusted them, and have not changed, are loaded.
 */
export async function loadOwnPacks(
  names: readonly string[],
  folder: string,
  seen: PackCode | null = null,
): Promise<AnyPack[]> {
  if (names.length > 0) hookImports();
  const loaded: AnyPack[] = [];
  for (const name of names) {
    const found = locatePack(name, folder);
    const url =
      "url" in found
        ? found.url
        : `${seen ? fromTrusted : fromFolder}${pathToFileURL(join(folder, "/")).href}#${found.bare}`;
    if (seen) {
      Object.assign(trusted, seen);
      guarded.add(url);
    }
    loaded.push(...(await importPacks({ from: name, url })));
  }
  return loaded;
}

function locatePack(name: string, folder: string): { url: string } | { bare: string } {
  const path = resolve(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isDirectory())
    throw new ParleyError("bad_config", `the pack ${name} is not a plain file`);
  if (found) return { url: pathToFileURL(path).href };
  if (/^\.{0,2}[\\/]|^[a-z]:/i.test(name) || /\.[cm]?[jt]s$/.test(name))
    throw new ParleyError("bad_config", `the pack ${name}: there is no such file in ${folder}`);
  return { bare: name };
}

export function isPackFile(name: string): boolean {
  return /^[./@]/.test(name) || isAbsolute(name) || /[\\/]|\.[cm]?[jt]s$/.test(name);
}

async function importPacks(origin: PackOrigin): Promise<AnyPack[]> {
  const { from: name } = origin;
  const module = await importFrom(origin);
  const found = Object.values(module).filter((value) => isRecord(value) && "protocol" in value && "roles" in value);
  const packs = [...new Set(found as Record<string, unknown>[])];
  if (packs.length === 0)
    throw new ParleyError(
      "bad_config",
      `${name} exports no pack; write \`export default definePack({ name, summary, input, config, decision, roles, protocol })\``,
    );
  const checked = packs.map((pack) => checkPack(pack, name));
  for (const pack of checked) addPack(pack, origin);
  return checked;
}

async function importFrom({ from: name, url }: PackOrigin): Promise<Record<string, unknown>> {
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError(
      "bad_config",
      `the pack ${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

const parts = ["input", "config", "decision"] as const;

function checkPack(pack: Record<string, unknown>, from: string): AnyPack {
  const fail = (why: string): never => {
    throw new ParleyError("bad_config", `${from}: ${why}`);
  };
  const { name } = pack;
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name))
    fail('a pack\'s name is lower-case letters, digits and hyphens, e.g. "code-review"');
  if (settingNames.includes(name as string))
    fail(`"${name as string}" is a setting of parley.config.yaml; give the pack another name`);
  if (typeof pack.summary !== "string") fail("the pack has no summary: one sentence that says what it decides");
  for (const part of parts)
    if (typeof (pack[part] as { safeParse?: unknown } | undefined)?.safeParse !== "function")
      fail(`the pack's ${part} is not a zod schema`);
  for (const part of ["roles", "protocol"])
    if (typeof pack[part] !== "function") fail(`the pack's ${part} is not a function`);
  const whole = pack as unknown as AnyPack;
  if (!whole.config.safeParse({}).success)
    fail("an empty config must parse to the defaults; give every setting a default");
  return definePack(whole);
}

const fromFolder = "parley-pack:";
const fromTrusted = "parley-trusted-pack:";

const trusted: PackCode = {};
const guarded = new Set<string>();

let isHooked = false;

function hookImports(): void {
  if (isHooked) return;
  isHooked = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      const isGuarded = specifier.startsWith(fromTrusted) || guarded.has(context.parentURL ?? "");
      const found = resolveImport(specifier, context, next);
      const isOwn = found.shortCircuit === true || found.url.startsWith("node:");
      if ((isGuarded || guarded.has(specifier)) && !isOwn) guarded.add(found.url);
      return found;
    },
    load(url, context, next) {
      const found = next(url, context);
      if (guarded.has(url) && url.startsWith("file:")) requireSeen(fileURLToPath(url), found.source);
      return found;
    },
  });
}

type Resolve = module.ResolveHookSync;

function resolveImport(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
  const [, folder, bare] = /^parley-(?:trusted-)?pack:(.*?)#(.*)$/.exec(specifier) ?? [];
  if (bare !== undefined) return next(bare, { ...context, parentURL: folder });
  const entry = entryFiles[specifier];
  if (entry !== undefined) return { url: new URL(`../${entry}`, import.meta.url).href, shortCircuit: true };
  if (!/^zod(\/|$)/.test(specifier)) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    return { ...next(specifier, { ...context, parentURL: import.meta.url }), shortCircuit: true };
  }
}

function requireSeen(file: string, source: module.ModuleSource | null | undefined): void {
  const code = source ?? readFileSync(file);
  if (trusted[file] === sha256(code instanceof ArrayBuffer ? new Uint8Array(code) : code)) return;
  const why = trusted[file] === undefined ? "was not seen when the packs were trusted" : "has changed since";
  throw new ParleyError("not_trusted", `${file} ${why}; read it, then run: parley doctor trust`, { details: { file } });
}

const isSource = import.meta.url.endsWith(".ts");
const entryFiles: Record<string, string> = {
  parley: isSource ? "index.ts" : "index.js",
  "parley/studies": isSource ? "studies/index.ts" : "studies.js",
  ...Object.fromEntries(
    packNames.map((name) => [`parley/${name}`, isSource ? `packs/${name}/index.ts` : `${name}.js`] as const),
  ),
};
