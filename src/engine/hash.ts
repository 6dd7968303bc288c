import { hash } from "node:crypto";
import { isRecord } from "../text/json.ts";

/** SHA-256 of a text, or of bytes, in hex. */
export function sha256(given: string | NodeJS.ArrayBufferView): string {
  return hash("sha256", given, "hex");
}

/** JSON with sorted keys and no undefined values: equal values give equal bytes. */
export function encodeCanonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? "null";
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value) || typeof value.toJSON === "function") return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

export function hashValue(value: unknown): string {
  return sha256(encodeCanonicalJson(value));
}
