/** Reliability: of the answers given with a confidence, how many were right. */
export type Sure = { confidence: number; right: boolean };

const edges = [0, 0.3, 0.5, 0.7, 0.85, 1.01];

/** A table of answers by stated confidence, with the mean confidence, the share that was right, and the calibration error. */
export function printReliability(title: string, answers: readonly Sure[]): void {
  console.log(`\n${title}\n  stated      answers  mean stated  right`);
  for (const [index, low] of edges.slice(0, -1).entries()) {
    const high = edges[index + 1] ?? 1;
    const inside = answers.filter(({ confidence }) => confidence >= low && confidence < high);
    if (inside.length === 0) continue;
    const stated = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    const right = inside.filter((answer) => answer.right).length / inside.length;
    console.log(
      `  ${low.toFixed(2)}–${Math.min(1, high).toFixed(2)}  ${String(inside.length).padStart(7)}  ${stated.toFixed(2).padStart(11)}  ${right.toFixed(2).padStart(5)}`,
    );
  }
  console.log(`  calibration error ${measureCalibrationError(answers).toFixed(3)}`);
}

/** The mean distance of what was stated from what was right, over the stretches of the table. */
export function measureCalibrationError(answers: readonly Sure[]): number {
  return edges.slice(0, -1).reduce((error, low, index) => {
    const high = edges[index + 1] ?? 1;
    const inside = answers.filter(({ confidence }) => confidence >= low && confidence < high);
    const off = inside.reduce((sum, { confidence, right }) => sum + confidence - Number(right), 0);
    return error + Math.abs(off) / Math.max(1, answers.length);
  }, 0);
}

/** The mean squared distance of what was stated from what was right. */
export function measureBrier(answers: readonly Sure[]): number {
  const off = answers.reduce((sum, { confidence, right }) => sum + (confidence - Number(right)) ** 2, 0);
  return off / Math.max(1, answers.length);
}
