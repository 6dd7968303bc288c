import { createElements, type Elements, separator, shapeKey } from "./message-shape.ts";
import { createScan, scanMessage } from "./scan-message.ts";

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

/** Messages that are equal but for their variable parts. */
export type Shape = { id: number; key: string; count: number; sample: string; slots: Slot[]; open: number };

/** Groups messages by shape as they come; each shape keeps one sample and what its variable parts have in common. */
export class ShapeTable {
  readonly shapes: Shape[] = [];
  private readonly byKey = new Map<string, Shape>();
  private readonly scan = createScan();
  private readonly elements: Elements = createElements();

  /** Adds a message and returns the shape that it belongs to. */
  add(message: string): Shape {
    scanMessage(message, this.scan);
    const key = shapeKey(message, this.scan, this.elements);
    const known = this.byKey.get(key);
    if (known === undefined) return this.create(key, message);
    known.count += 1;
    if (known.open > 0) observe(known, message, this.elements);
    return known;
  }

  private create(key: string, message: string): Shape {
    const sample = copyOf(message);
    const slots = slotsOf(sample, this.elements);
    const shape = { id: this.shapes.length, key: copyOf(key), count: 1, sample, slots, open: slots.length };
    this.shapes.push(shape);
    this.byKey.set(shape.key, shape);
    return shape;
  }
}

/** The elements of a shape's key: words, delimiters and variable marks. */
export function elementsOfKey(key: string): string[] {
  return key.split(separator).slice(0, -1);
}

function slotsOf(message: string, elements: Elements): Slot[] {
  const slots: Slot[] = [];
  for (let at = 0; at < elements.count; at += 1) {
    if (elements.variable[at] === 0) continue;
    const first = message.slice(elements.start[at], elements.end[at]);
    const tokens = elements.tokens[at] ?? 0;
    slots.push({
      place: at,
      first,
      varies: false,
      shared: first.length,
      kind: elements.kind[at] ?? 0,
      tokens,
      uniform: true,
    });
  }
  return slots;
}

/** Compares the variable parts of a message with what its shape had so far; a slot that shares nothing is closed. */
function observe(shape: Shape, message: string, elements: Elements): void {
  let open = 0;
  let index = 0;
  for (let at = 0; at < elements.count; at += 1) {
    if (elements.variable[at] === 0) continue;
    const slot = shape.slots[index];
    index += 1;
    if (slot === undefined) break;
    if (slot.uniform && elements.tokens[at] !== slot.tokens) slot.uniform = false;
    if (slot.varies && slot.shared === 0) {
      if (slot.uniform) open += 1;
      continue;
    }
    compare(slot, message, elements.start[at] ?? 0, elements.end[at] ?? 0);
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

/** A copy that does not keep the text it was cut from alive. */
export function copyOf(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
