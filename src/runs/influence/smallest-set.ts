/** Whether some changes, made together, flip a decision; null when that cannot be told. */
export type Flips<C> = (changes: readonly C[]) => Promise<boolean | null>;

/** The smallest set found; `proven` when every smaller set was tried, so that none can be smaller. */
export type SmallestSet<C> = { changes: C[] | null; proven: boolean; tried: number };

export type SearchOptions<C> = {
  /** How many sets are tried at most. */
  limit: number;
  /** True when two changes can be made together. */
  canJoin(a: C, b: C): boolean;
};

/**
 * Finds a smallest set of changes that flips: all sets of one, then of two, then of three, as far as the limit allows.
 * When the limit comes first, changes are added one by one until the decision flips and then taken back one by one:
 * that set has no part to spare, but a smaller one may exist.
 */
export async function findSmallestSet<C>(
  candidates: readonly C[],
  flips: Flips<C>,
  { limit, canJoin }: SearchOptions<C>,
): Promise<SmallestSet<C>> {
  let tried = 0;
  let proven = true;
  for (const size of [1, 2, 3]) {
    for (const changes of listSets(candidates, size, canJoin)) {
      if (tried >= limit) {
        proven = false;
        break;
      }
      tried += 1;
      if (await flips(changes)) return { changes, proven: true, tried };
    }
    if (!proven) break;
  }
  const grown = await grow(candidates, flips, canJoin);
  tried += grown.tried;
  if (grown.changes === null) return { changes: null, proven: false, tried };
  const shrunk = await shrink(grown.changes, flips);
  const smallest = proven && shrunk.changes.length === 4;
  return { changes: shrunk.changes, proven: smallest, tried: tried + shrunk.tried };
}

/** Every set of this size whose changes can all be made together, in the order of the candidates. */
export function* listSets<C>(
  candidates: readonly C[],
  size: number,
  canJoin: (a: C, b: C) => boolean,
  from = 0,
  chosen: readonly C[] = [],
): Generator<C[]> {
  if (chosen.length === size) {
    yield [...chosen];
    return;
  }
  for (let at = from; at < candidates.length; at += 1) {
    const candidate = candidates[at] as C;
    if (chosen.every((other) => canJoin(other, candidate)))
      yield* listSets(candidates, size, canJoin, at + 1, [...chosen, candidate]);
  }
}

async function grow<C>(candidates: readonly C[], flips: Flips<C>, canJoin: (a: C, b: C) => boolean) {
  const changes: C[] = [];
  let tried = 0;
  for (const candidate of candidates) {
    if (!changes.every((other) => canJoin(other, candidate))) continue;
    const now = await flips([...changes, candidate]);
    tried += 1;
    if (now === null) continue;
    changes.push(candidate);
    if (now) return { changes, tried };
  }
  return { changes: null, tried };
}

async function shrink<C>(found: readonly C[], flips: Flips<C>) {
  let changes = [...found];
  let tried = 0;
  for (const change of found) {
    const without = changes.filter((other) => other !== change);
    if (without.length === 0) continue;
    tried += 1;
    if (await flips(without)) changes = without;
  }
  return { changes, tried };
}
