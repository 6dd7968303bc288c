/** The known word nearest to a mistyped one, when it is near enough to be meant. */
export function suggest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(Math.max(word.length, best.candidate.length) / 3))
    ? best.candidate
    : null;
}

/** "unknown X "lww"; did you mean "law"? Known: law, question" */
export function unknownMessage(what: string, word: string, known: readonly string[]): string {
  const nearest = suggest(word, known);
  return `unknown ${what} "${word}"${nearest ? `; did you mean "${nearest}"?` : "."} Known: ${known.join(", ")}`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
