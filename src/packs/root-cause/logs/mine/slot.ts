import type { MessageShaper } from "./message-shaper.ts";

/** What is known of one variable part over all messages of a shape. */
export type Slot = {
  /** Which element of the shape it is. */
  place: number;
  /** The value in the first message. */
  first: string;
  varies: boolean;
  /** How many leading characters all values share. */
  shared: number;
  kind: number;
  tokens: number;
  /** True while every value had the same number of tokens. */
  uniform: boolean;
};

export function newSlots(message: string, elements: MessageShaper): Slot[] {
  const slots: Slot[] = [];
  for (let at = 0; at < elements.count; at += 1) {
    if (elements.variable[at] === 0) continue;
    const first = message.slice(elements.start[at], elements.end[at]);
    const tokens = elements.tokens[at] ?? 0;
    const kind = elements.kind[at] ?? 0;
    slots.push({ place: at, first, varies: false, shared: first.length, kind, tokens, uniform: true });
  }
  return slots;
}

/** Compares a message's variable parts with what its shape had so far; a slot that shares nothing any more is closed. */
export function observe(shape: { slots: Slot[]; open: number }, message: string, elements: MessageShaper): void {
  let open = 0;
  for (const slot of shape.slots) {
    const at = slot.place;
    if (slot.uniform && elements.tokens[at] !== slot.tokens) slot.uniform = false;
    if (!slot.varies || slot.shared > 0) compare(slot, message, elements.start[at] ?? 0, elements.end[at] ?? 0);
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
  if (shared < first.length || end - start !== first.length) slot.varies = true;
}
