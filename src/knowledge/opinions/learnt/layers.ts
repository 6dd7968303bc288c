import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ParleyError } from "../../../contract/error.ts";
import type { LanguageCode } from "../language/language.ts";
import { type Layer, parseLayer } from "./layer.ts";

/** Which layer each language is read with: "default", "off", or a file, with "#" and its digest where it must not change. */
export type LayerNames = Record<LanguageCode, string>;

/** What is used where nobody says otherwise: English ships a layer; Korean has one once someone has taught it. */
export const defaultLayers: LayerNames = { en: "default", ko: "off" };

let inUse: LayerNames = defaultLayers;

/** Reads with other layers for as long as `work` runs; work that goes on later would read with the old ones, so it must not. */
export function readWith<T>(names: LayerNames, work: () => T): T {
  const before = inUse;
  inUse = names;
  try {
    return work();
  } finally {
    inUse = before;
  }
}

/** The layer that a language is read with; null when it has none. */
export function findLayer(language: LanguageCode): Layer | null {
  return openLayer(inUse[language], language);
}

const shipped: Partial<Record<LanguageCode, URL>> = {
  en: new URL("../../../../data/sentiment/en/layer.json", import.meta.url),
};

const most = 4;
const held = new Map<string, Layer>();

/** Opens a layer by its name; a file that changed is read again, the one that ships does not change. */
export function openLayer(name: string, language: LanguageCode): Layer | null {
  if (name === "off") return null;
  const ships = name === "default" ? held.get(`${name} ${language}`) : undefined;
  if (ships) return ships;
  const { path, digest } = splitName(name, language);
  const key = name === "default" ? `${name} ${language}` : `${name} ${readStamp(path)}`;
  const known = held.get(key);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  if (digest !== null && digestLayer(text) !== digest)
    throw new ParleyError("bad_config", `${path} has changed since it was chosen; name it again without "#${digest}"`);
  const layer = parseLayer(text, path);
  if (layer.language !== language)
    throw new ParleyError("bad_config", `${path} was learnt from ${layer.language} texts and cannot read ${language}`);
  if (held.size >= most) held.clear();
  held.set(key, layer);
  return layer;
}

function splitName(name: string, language: LanguageCode): { path: string; digest: string | null } {
  if (name === "default") {
    const file = shipped[language];
    if (file) return { path: fileURLToPath(file), digest: null };
    throw new ParleyError(
      "bad_config",
      `no learnt layer ships for "${language}"; \`parley sentiment learn\` makes one from labelled texts`,
    );
  }
  const [, path = name, digest = null] = /^(.*)#([0-9a-f]{16})$/.exec(name) ?? [];
  return { path, digest };
}

function readStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return `${found.mtimeMs} ${found.size}`;
  throw new ParleyError("bad_config", `${path}: there is no such file; give a layer, "default" or "off"`);
}

/** What names the content of a layer's file. */
export function digestLayer(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
