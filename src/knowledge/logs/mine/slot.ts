import type { MessageShaper } from "../scan/message-shaper.ts";
import { kinds } from "../scan/token-kind.ts";

/** What is known of one variable part over all messages of a shape. */
export type Slot = {
  /** Which element of the shape it is. */
  place: number;
  /** The value in the first message. */
  first: string;
  varies: boolean;
  /** How many leading and trailing characters all values share. */
  shared: number;
  sharedEnd: number;
  kind: number;
  tokens: number;
  /** A hash of the punctuation in the value. */
  punctuation: number;
  /** True while every value had the same tokens and punctuation, so that `<*>:<*>` can be written instead of `<*>`. */
  uniform: boolean;
};

export function createSlots(message: string, elements: MessageShaper): Slot[] {
  const slots: Slot[] = [];
  for (let at = 0; at < elements.count; at += 1) {
    if (elements.variable[at] === 0) continue;
    const [start, end] = [elements.start[at] ?? 0, elements.end[at] ?? 0];
    const first = message.slice(start, end);
    const kind = elements.kind[at] ?? 0;
    const tokens = elements.tokens[at] ?? 0;
    const punctuation = hashPunctuation(message, start, end, kind, tokens);
    const shared = first.length;
    slots.push({
      place: at,
      first,
      varies: false,
      shared,
      sharedEnd: shared,
      kind,
      tokens,
      punctuation,
      uniform: true,
    });
  }
  return slots;
}

/** Compares a message's variable parts with what its shape had so far; a slot that shares nothing any more is closed. */
export function observe(shape: { slots: Slot[]; open: number }, message: string, elements: MessageShaper): void {
  let open = 0;
  for (const slot of shape.slots) {
    const at = slot.place;
    const start = elements.start[at] ?? 0;
    const end = elements.end[at] ?? 0;
    if (slot.uniform) {
      const tokens = elements.tokens[at] ?? 0;
      slot.uniform =
        tokens === slot.tokens && hashPunctuation(message, start, end, slot.kind, tokens) === slot.punctuation;
    }
    if (!slot.varies || slot.shared + slot.sharedEnd > 0) compare(slot, message, start, end);
    else if (!slot.uniform) continue;
    open += 1;
  }
  shape.open = open;
}

function compare(slot: Slot, message: string, start: number, end: number): void {
  const { first } = slot;
  const limit = Math.min(slot.shared, end - start);
  let shared = 0;
  while (shared < limit && first.charCodeAt(shared) === message.charCodeAt(start + shared)) shared += 1;
  slot.shared = shared;
  if (shared === first.length && end - start === first.length) return;
  slot.varies = true;
  const endLimit = Math.min(slot.sharedEnd, end - start);
  let sharedEnd = 0;
  while (
    sharedEnd < endLimit &&
    first.charCodeAt(first.length - 1 - sharedEnd) === message.charCodeAt(end - 1 - sharedEnd)
  ) {
    sharedEnd += 1;
  }
  slot.sharedEnd = sharedEnd;
}

/** Signs that would be written between the wildcards of a value; a single token has them only in addresses and times. */
function hashPunctuation(message: string, start: number, end: number, kind: number, tokens: number): number {
  const isTime = kind === kinds.time;
  if (tokens <= 1 && !isTime && kind !== kinds.ip && kind !== kinds.host) return 0;
  let hash = 0;
  for (let at = start; at < end; at += 1) {
    const code = message.charCodeAt(at);
    const isSign = code < 48 ? code !== 46 && (code !== 45 || isTime) : code > 57 && code < 64;
    if (isSign) hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash;
}

/** Joins what two shapes know of the same slot. */
export function joinSlot(slot: Slot, other: Slot): void {
  slot.varies ||= other.varies || other.first !== slot.first;
  slot.shared = Math.min(slot.shared, other.shared, measureShared(slot.first, other.first, 0, 1));
  slot.sharedEnd = Math.min(slot.sharedEnd, other.sharedEnd, measureShared(slot.first, other.first, -1, -1));
  slot.uniform &&= other.uniform && other.tokens === slot.tokens && other.punctuation === slot.punctuation;
}

function measureShared(a: string, b: string, from: number, step: number): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(from + step * length) === b.at(from + step * length))
    length += 1;
  return length;
}
