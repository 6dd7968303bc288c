import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";

export type PackCode = Record<string, string>;

export function locatePack(name: string, folder: string): { url: string } | { bare: string } {
  const path = resolve(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isDirectory())
    throw new ParleyError("bad_config", `the pack ${name} is not a plain file`);
  if (found) return { url: pathToFileURL(path).href };
  if (/^\.{0,2}[\\/]|^[a-z]:/i.test(name) || /\.[cm]?[jt]s$/.test(name))
    throw new ParleyError("bad_config", `the pack ${name}: there is no such file in ${folder}`);
  return { bare: name };
}

/**
 * Reads every file that packs can load, without running any: their own files, files named by path, and all code of
 * named packages. Others are refused when the pack asks for them.
 */
export function readPackCode(names: readonly string[], folder: string): PackCode {
  const code: PackCode = {};
  const visit = (file: string): void => {
    if (code[file] !== undefined) return;
    const text = readFileSync(file);
    code[file] = hashCode(text);
    if (isCode(file)) for (const next of listNamed(text.toString(), dirname(file))) visit(next);
  };
  for (const name of names) {
    const path = resolve(folder, name);
    for (const file of existsSync(path) ? findFile(path) : listPackage(name, folder)) visit(file);
  }
  return code;
}

export function hashCode(source: string | NodeJS.ArrayBufferView | ArrayBuffer): string {
  const hash = createHash("sha256");
  return (source instanceof ArrayBuffer ? hash.update(new Uint8Array(source)) : hash.update(source)).digest("hex");
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
