import { hashText } from "../scan/known-words.ts";

/**
 * Keys of a list of texts with one place left open: lists that agree everywhere else have the same key. All keys of a
 * list cost one pass, where writing them out would cost as many passes as there are places.
 */
export function listPlaceKeys(texts: readonly string[]): number[] {
  let low = Math.imul(texts.length, 0x27d4eb2d);
  let high = Math.imul(texts.length, 0x165667b1);
  const parts = texts.map((text, place) => {
    const hash = hashText(text);
    const part = { low: mix(hash, place, 0x85ebca6b), high: mix(hash ^ 0x5bd1e995, place, 0xc2b2ae35) };
    low = (low + part.low) | 0;
    high = (high + part.high) | 0;
    return part;
  });
  return parts.map((part, place) => joinHalves((low - part.low) ^ mix(1, place, 0x9e3779b1), high - part.high));
}

function mix(hash: number, place: number, factor: number): number {
  let mixed = Math.imul(hash ^ Math.imul(place + 1, factor), 0x2c1b3c6d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x297a2d39);
  return mixed ^ (mixed >>> 13);
}

/** 53 bits as one number. */
function joinHalves(low: number, high: number): number {
  return (high & 0x1fffff) * 4_294_967_296 + (low >>> 0);
}
