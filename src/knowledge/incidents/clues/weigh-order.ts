/** Trouble as far as its order in time matters. Failing requests that are only counted show that something fails, and say nothing of why. */
export type Sight = { role: string; strength: number; firstMs: number | null; kind: "said" | "counted" | "silent" };

const clear = 0.3;
/** What is only counted follows from what was said to fail no later than this after it. */
const sameMomentMs = 30_000;
const countedFactor = 0.6;
/** What began after other trouble may follow from it. */
const laterFactor = 0.9;

/**
 * How much of mere symptoms stays when other trouble of the same incident was there before them (root-cause spec §4.6):
 * of trouble that nobody names the cause of, the first is the likeliest.
 */
export function weighOrder(own: readonly Sight[], others: readonly Sight[]): number {
  const [main] = own.toSorted((a, b) => b.strength - a.strength);
  const first = main?.firstMs ?? null;
  if (first === null || own.some(({ role }) => role === "cause")) return 1;
  const spoken = others.flatMap(({ strength, kind, firstMs }) =>
    strength >= clear && kind === "said" && firstMs !== null ? [firstMs] : [],
  );
  if (main?.kind === "counted" && spoken.some((at) => at <= first + sameMomentMs)) return countedFactor;
  return spoken.some((at) => at < first) ? laterFactor : 1;
}
