import { isPlaceholder, isUnit } from "../scan/known-words.ts";
import type { Slot } from "./slot.ts";
import { kinds } from "../scan/token-kind.ts";

export const wildcard = "<*>";

type Token = { kind: number; start: number; end: number };

/** Writes one variable part: as it is when it never changed and looks fixed, else with its values as `<*>`. */
export function writeSlot(slots: readonly Slot[], tokens: readonly Token[], sample: string): string {
  const [first] = slots;
  if (first === undefined) return wildcard;
  const varies = slots.some((slot) => slot.varies || slot.first !== first.first);
  const placed = first.kind === kinds.value;
  if (!varies && placed) return isPlaceholder(first.first) ? wildcard : first.first;
  const uniform = slots.every(
    (slot) => slot.uniform && slot.tokens === tokens.length && slot.punctuation === first.punctuation,
  );
  if (placed || !uniform || sample.startsWith("HTTP/", tokens.at(-1)?.start)) return wildcard;
  const end = tokens.at(-1)?.end ?? 0;
  const sharedEnd = varies
    ? Math.min(...slots.map((slot) => slot.sharedEnd), ...slots.map((slot) => measureSameEnd(slot, first)))
    : end;
  let text = "";
  let position = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    const value = sample.slice(token.start, token.end);
    const isUnitHere = token.kind === kinds.word && isUnit(value);
    if (isUnitHere && end - token.start >= sharedEnd) {
      position = token.end;
      continue;
    }
    text += sample.slice(position, token.start) + (isUnitHere ? value : writeToken(token, value, slots, varies));
    position = token.end;
  }
  return text.replace(/<\*>(?:\.<\*>)+/g, wildcard);
}

function measureSameEnd(a: Slot, b: Slot): number {
  let length = 0;
  while (length < a.first.length && a.first.at(-1 - length) === b.first.at(-1 - length)) length += 1;
  return length;
}

function writeToken(token: Token, value: string, slots: readonly Slot[], varies: boolean): string {
  switch (token.kind) {
    case kinds.delimiter:
      return value;
    case kinds.ip:
    case kinds.host:
      return writeAddress(value);
    case kinds.time:
      return /[A-Za-z/]/.test(value) ? wildcard : value.replace(/[\d.,]+/g, wildcard);
    case kinds.glued:
      return writeGlued(value, slots, varies);
    default:
      return wildcard;
  }
}

/** `host/address:port` with each of its parts as a wildcard. */
function writeAddress(value: string): string {
  const parts = /^\/?[^/:]+(\/[^/:]+)?(:\d+)?$/.exec(value);
  if (parts === null) return wildcard;
  return `${wildcard}${parts[1] ? `/${wildcard}` : ""}${parts[2] ? `:${wildcard}` : ""}`;
}

/** `ssh2` and `L3` are words while they never change; of `core.2275` the part before the number is one. */
function writeGlued(value: string, slots: readonly Slot[], varies: boolean): string {
  if (!varies && !/\d{3}|(?:^|[^A-Za-z])\d/.test(value)) return value;
  if (/^[^/]*\d[^/]*\/[^/]*\d[^/]*$/.test(value)) return `${wildcard}/${wildcard}`;
  const prefix = /^([A-Za-z]{3,}[-.])(?:\w+|[\d.]+)$/.exec(value)?.[1] ?? "";
  const shared = Math.min(...slots.map((slot) => slot.shared));
  const sameStart = slots.every((slot) => slot.first.startsWith(prefix));
  return prefix !== "" && sameStart && shared >= prefix.length ? prefix + wildcard : wildcard;
}
