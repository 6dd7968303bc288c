import { existsSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";
import { definePack } from "../engine/define-pack.ts";
import type { AnyPack } from "../engine/pack.ts";
import { addPack, loadPack, type PackOrigin } from "../packs/registry.ts";
import { isRecord } from "../text/is-record.ts";
import { settingNames } from "./user-config.ts";

/** Loads packs of the user's own, files from `folder` or packages installed there, and makes them known. */
export async function loadOwnPacks(names: readonly string[], folder: string): Promise<AnyPack[]> {
  if (names.length > 0) resolveParley();
  const loaded: AnyPack[] = [];
  for (const name of names) loaded.push(...(await importPacks({ from: name, url: locatePack(name, folder) })));
  return loaded;
}

/** Loads a pack of the user's own from where it was loaded before: for another thread. */
export async function loadPackFrom(origin: PackOrigin, name: string): Promise<AnyPack> {
  resolveParley();
  await importPacks(origin);
  return loadPack(name);
}

/** True for what names a file or a package, and no pack that is known by its name. */
export function isPackFile(name: string): boolean {
  return /^[./@]/.test(name) || isAbsolute(name) || /[\\/]|\.[cm]?[jt]s$/.test(name);
}

/** Imports the packs of a file or package, and makes them known. */
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

/** What to import: a file of the folder, or a package as the folder's own code would find it. */
function locatePack(name: string, folder: string): string {
  const path = resolve(folder, name);
  if (existsSync(path)) return pathToFileURL(path).href;
  if (/^\.{0,2}[\\/]/.test(name) || isAbsolute(name) || /\.[cm]?[jt]s$/.test(name))
    throw new ParleyError("bad_config", `the pack ${name}: there is no such file in ${folder}`);
  return `${fromFolder}${pathToFileURL(join(folder, "/")).href}#${name}`;
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

/** Marks an import that is to be resolved from a folder of the user's. */
const fromFolder = "parley-pack:";

let isResolving = false;

/** Packs import "parley" and get the one that loads them, wherever it is installed; also its zod when they have none. */
function resolveParley(): void {
  if (isResolving) return;
  isResolving = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith(fromFolder)) {
        const [parentURL = "", name = ""] = specifier.slice(fromFolder.length).split("#");
        return next(name, { ...context, parentURL });
      }
      const entry = entryFiles[specifier];
      if (entry !== undefined) return { url: new URL(`../${entry}`, import.meta.url).href, shortCircuit: true };
      if (!/^zod(\/|$)/.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

/** The entry points of this Parley: files of src/ in a checkout, of dist/ in the package. */
const entryFiles: Record<string, string> = import.meta.url.endsWith(".ts")
  ? {
      parley: "index.ts",
      "parley/question": "packs/question/index.ts",
      "parley/sentiment": "packs/sentiment/index.ts",
      "parley/root-cause": "packs/root-cause/index.ts",
      "parley/law": "packs/law/index.ts",
      "parley/studies": "studies/index.ts",
    }
  : {
      parley: "index.js",
      "parley/question": "question.js",
      "parley/sentiment": "sentiment.js",
      "parley/root-cause": "root-cause.js",
      "parley/law": "law.js",
      "parley/studies": "studies.js",
    };
