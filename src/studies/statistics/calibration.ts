/** A stated confidence in 0..1 and how right it was: 0 or 1, or a score between. */
export type Stated = { confidence: number; score: number };

/** One bar of a reliability diagram. */
export type Bin = { low: number; high: number; count: number; confidence: number; accuracy: number };

export type Calibration = { items: number; ece: number; brier: number; bins: Bin[] };

/** Expected calibration error over equal-width bins, with the bins and the Brier score; null without an item. */
export function calibration(items: Stated[], binCount = 10): Calibration | null {
  if (items.length === 0) return null;
  const bins = Array.from({ length: binCount }, (_, i) => ({
    low: i / binCount,
    high: (i + 1) / binCount,
    count: 0,
    confidence: 0,
    accuracy: 0,
  }));
  let brier = 0;
  for (const { confidence, score } of items) {
    const bin = bins[Math.min(binCount - 1, Math.max(0, Math.floor(confidence * binCount)))] as Bin;
    bin.count++;
    bin.confidence += confidence;
    bin.accuracy += score;
    brier += (confidence - score) ** 2;
  }
  const filled = bins
    .filter((bin) => bin.count > 0)
    .map((bin) => ({ ...bin, confidence: bin.confidence / bin.count, accuracy: bin.accuracy / bin.count }));
  const gap = filled.reduce((sum, bin) => sum + bin.count * Math.abs(bin.accuracy - bin.confidence), 0);
  return { items: items.length, ece: gap / items.length, brier: brier / items.length, bins: filled };
}
