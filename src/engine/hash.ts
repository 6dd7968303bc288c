import { hash } from "node:crypto";
import { isRecord } from "../text/json.ts";

/** SHA-256 of a text, or of its bytes, in hex. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

/** JSON with sorted keys and no undefined values: equal values give equal bytes. */
export function encodeCanonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? "null";
}

function sortKeys(_: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) sorted[key] = value[key];
  return sorted;
}

export function hashValue(value: unknown): string {
  return sha256(encodeCanonicalJson(value));
}
