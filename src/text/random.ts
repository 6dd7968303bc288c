export type Random = () => number;

/** A seeded random stream (mulberry32): fast, and good enough for shuffles and resampling. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A seed of 28 bits that depends on a text only (FNV-1a, its high bits folded in). */
export function deriveSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash >>> 28) ^ hash) & 0xfffffff;
}

/** A shuffled copy (Fisher–Yates). */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}
/**
 * The certainty that the leading answer stays ahead of the next however many more are asked: the share of a Beta
 * distribution of their votes above one half (question spec §2.5). Without votes, one half.
 */
export function measureCertainty(lead: number, next: number): number {
  const tosses = lead + next + 1;
  let term = 0.5 ** tosses;
  let sum = 0;
  for (let heads = 0; heads <= lead; heads += 1) {
    sum += term;
    term *= (tosses - heads) / (heads + 1);
  }
  return Number(Math.min(1, sum).toFixed(6));
}
