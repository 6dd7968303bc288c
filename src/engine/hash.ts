import { hash } from "node:crypto";
import { remember } from "../text/remember.ts";

/** SHA-256 of a text, or of its bytes, in hex. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

/** JSON with sorted keys and no undefined values, so that equal values give equal bytes. */
export function encodeCanonicalJson(value: unknown): string {
  return encode(value) ?? "null";
}

/** As `JSON.stringify`, with the keys in order: whole numbers first, as in every object, then by their characters. */
function encode(value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => encode(item) ?? "null").join(",")}]`;
  let text = "";
  for (const key of sortKeys(Object.keys(value))) {
    const item = encode((value as Record<string, unknown>)[key]);
    if (item !== undefined) text += `${text === "" ? "" : ","}${quoteKey(key)}:${item}`;
  }
  return `{${text}}`;
}

/** The keys of records are few, and the same again and again. */
const quoteKey = remember(1_000, (key) => JSON.stringify(key));

function sortKeys(keys: string[]): string[] {
  const first = keys.findIndex((key) => !isIndex(key));
  if (first === 0) return keys.sort();
  return first < 0 ? keys : [...keys.slice(0, first), ...keys.slice(first).sort()];
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= zero && first <= nine && String(Number(key) >>> 0) === key && key !== "4294967295";
}

const [zero, nine] = [0x30, 0x39];

/** SHA-256 of a value's canonical JSON. */
export function hashValue(value: unknown): string {
  return sha256(encodeCanonicalJson(value));
}
