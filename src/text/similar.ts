/** Edit distance in which swapping two neighbours is one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((row[j - 1] as number) + 1, (last[j] as number) + 1, (last[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] as number) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

export function findNearestName(name: string, known: readonly string[]): string | null {
  const wanted = normalForm(name);
  let best: { name: string; distance: number } | null = null;
  const most = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of known) {
    const other = normalForm(candidate);
    if (Math.abs(other.length - wanted.length) > most) continue;
    const distance = editDistance(wanted, other);
    if (best === null || distance < best.distance) best = { name: candidate, distance };
  }
  if (best !== null && best.distance <= most) return best.name;
  return wanted.length < 4 ? null : (known.find((one) => normalForm(one).startsWith(wanted)) ?? null);
}

const listed = 60;

/** `; did you mean "x"?` if a known name is close, and the known names. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const more = known.length > listed ? `, … and ${known.length - listed} more` : "";
  const list = known.length === 0 ? "" : ` (known: ${known.slice(0, listed).join(", ")}${more})`;
  return nearest === null ? list : `; did you mean "${nearest}"?${list}`;
}

function normalForm(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Dice coefficient of two multisets of words: 2·shared / (size of a + size of b). */
export function dice(a: Iterable<string>, b: Iterable<string>, whenBothEmpty = 0): number {
  const left = new Map<string, number>();
  let total = 0;
  for (const word of a) {
    left.set(word, (left.get(word) ?? 0) + 1);
    total += 1;
  }
  let shared = 0;
  for (const word of b) {
    total += 1;
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return total === 0 ? whenBothEmpty : (2 * shared) / total;
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, own, other] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [one, two] = [a[at] ?? 0, b[at] ?? 0];
    dot += one * two;
    own += one * one;
    other += two * two;
  }
  return dot / (Math.sqrt(own * other) || 1);
}
