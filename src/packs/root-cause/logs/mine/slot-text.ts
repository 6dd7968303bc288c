import { isUnit } from "./known-words.ts";
import type { Slot } from "./slot.ts";
import { kinds } from "./token-kind.ts";

export const wildcard = "<*>";

type Token = { kind: number; start: number; end: number };

/** Writes one variable part: as it is when it never changed and looks fixed, else with its values as `<*>`. */
export function slotText(slots: readonly Slot[], tokens: readonly Token[], sample: string): string {
  const value = slots[0]?.first ?? "";
  const varies = slots.some((slot) => slot.varies || slot.first !== value);
  const placed = slots[0]?.kind === kinds.value;
  if (!varies && placed) return value;
  if (placed || slots.some((slot) => !slot.uniform || slot.tokens !== tokens.length)) return wildcard;
  if (sample.startsWith("HTTP/", tokens.at(-1)?.start)) return wildcard;
  let text = "";
  let position = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    text += sample.slice(position, token.start) + tokenText(token, sample.slice(token.start, token.end), slots, varies);
    position = token.end;
  }
  return text.replace(/<\*>(?:\.<\*>)+/g, wildcard);
}

function tokenText(token: Token, value: string, slots: readonly Slot[], varies: boolean): string {
  switch (token.kind) {
    case kinds.delimiter:
      return value;
    case kinds.word:
      return isUnit(value) ? value : wildcard;
    case kinds.ip:
    case kinds.host:
      return /^[^:]+:\d+$/.test(value) ? `${wildcard}:${wildcard}` : wildcard;
    case kinds.time:
      return /[A-Za-z/]/.test(value) ? wildcard : value.replace(/[\d.,]+/g, wildcard);
    case kinds.glued:
      return gluedText(value, slots, varies);
    default:
      return wildcard;
  }
}

/** `ssh2` and `L3` are words while they never change; of `core.2275` the part before the number is one. */
function gluedText(value: string, slots: readonly Slot[], varies: boolean): string {
  if (!varies && !/\d{3}|(?:^|[^A-Za-z])\d/.test(value)) return value;
  const prefix = /^([A-Za-z]{3,}[-.])(?:\w+|[\d.]+)$/.exec(value)?.[1] ?? "";
  const shared = Math.min(...slots.map((slot) => slot.shared));
  const sameStart = slots.every((slot) => slot.first.startsWith(prefix));
  return prefix !== "" && sameStart && shared >= prefix.length ? prefix + wildcard : wildcard;
}
