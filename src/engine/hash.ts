import { hash } from "node:crypto";

/** SHA-256 of a text, or of its bytes, in hex. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

/** JSON with sorted keys and no undefined values, so that equal values give equal bytes. */
export function encodeCanonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder) ?? "null";
}

function inOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) sorted[key] = (value as Record<string, unknown>)[key];
  return sorted;
}

/** SHA-256 of a value's canonical JSON. */
export function hashValue(value: unknown): string {
  return sha256(encodeCanonicalJson(value));
}
