import { hash } from "node:crypto";

/** SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** JSON with sorted keys and no undefined values, so that equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const plain =
    typeof (value as { toJSON?: unknown }).toJSON === "function" ? JSON.parse(JSON.stringify(value)) : value;
  if (plain === null || typeof plain !== "object") return JSON.stringify(plain);
  const record = plain as Record<string, unknown>;
  const keys = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`).join(",")}}`;
}

/** SHA-256 of a value's canonical JSON. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
