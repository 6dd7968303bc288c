import { escapePattern } from "../text/format.ts";

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i;
/** Keys of this length are masked anywhere, shorter ones only as whole words. */
const longKey = 8;
const minKey = 3;
/** Shorter values of unknown variables may be ordinary words. */
const minSecret = 12;
const mask = "[secret]";

/** Shapes of keys and auth headers, for keys that are not in our environment. */
const patterns = [
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|key)-[\w-]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /((?:x-api-key|x-goog-api-key|api[-_]key|authorization)["']?\s*[:=]\s*["']?)[\w.~+/=-]{8,}/gi,
  /([?&](?:key|api_key|token)=)[^&\s"']{8,}/gi,
];

/** The keys in these variables, longest first. Errors never repeat one; replies only if it is a plain word. */
export function keysOf(env: Record<string, string | undefined>, variables: readonly string[]): string[] {
  return longestFirst(variables.flatMap((name) => env[name] ?? []).filter((value) => value.length >= minKey));
}

/** Drops keys that are plain words ("ollama", "EMPTY"): a reply may use them, and they open nothing. */
export function dropPlainWords(keys: readonly string[]): string[] {
  return keys.filter((key) => key.length >= longKey || !/^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/.test(key));
}

export function collectSecrets(env: Record<string, string | undefined>): string[] {
  const named = Object.entries(env).filter(([name]) => secretName.test(name));
  return longestFirst(named.flatMap(([, value]) => value ?? []).filter((value) => value.length >= minSecret));
}

function longestFirst(values: string[]): string[] {
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** Removes known secrets, and anything that looks like a key or an auth header. */
export function scrubSecrets(text: string, secrets: readonly string[]): string {
  return patterns.reduce((clean, pattern) => clean.replace(pattern, keepLabel), scrubKnown(text, secrets));
}

/** Removes known secrets only, since replies are quoted and hashed. */
export function scrubKnown(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets)
    if (clean.includes(secret)) clean = clean.replaceAll(secret.length < longKey ? asWord(secret) : secret, mask);
  return clean;
}

function asWord(secret: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(secret)}(?![\\p{L}\\p{N}_])`, "gu");
}

/** A copy of an error that is safe to show: only name, message and stack, scrubbed. */
export function scrubError(error: unknown, secrets: readonly string[]): Error {
  const original = error instanceof Error ? error : new Error(describe(error));
  const clean = new Error(scrubSecrets(original.message, secrets));
  clean.name = original.name;
  clean.stack = scrubSecrets(original.stack ?? "", secrets);
  if (original.cause !== undefined && original.cause !== error) clean.cause = scrubError(original.cause, secrets);
  return clean;
}

/** Passes streamed text on without known secrets, even when one is split between chunks. */
export function scrubStream(secrets: readonly string[], onText: (text: string) => void) {
  let held = "";
  return {
    push(text: string): void {
      const clean = scrubKnown(held + text, secrets);
      const keep = measureOpenSecret(clean, secrets);
      held = clean.slice(clean.length - keep);
      if (clean.length > keep) onText(clean.slice(0, clean.length - keep));
    },
    end(): void {
      if (held !== "") onText(held);
      held = "";
    },
  };
}

function measureOpenSecret(text: string, secrets: readonly string[]): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let size = Math.min(secret.length - 1, text.length); size > longest; size -= 1) {
      if (text.endsWith(secret.slice(0, size))) longest = size;
    }
  }
  return longest;
}

function keepLabel(_match: string, label: unknown): string {
  return typeof label === "string" ? `${label}${mask}` : mask;
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null && "message" in value) return String(value.message);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "unknown trouble");
}
