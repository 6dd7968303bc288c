import { adviseLimits } from "./advise-limits.ts";
import type { FinishedRun } from "./start-run.ts";

/** The decision as JSON, with how it came about under `parley`. */
export function buildResultJson({ runId, finished }: FinishedRun): Record<string, unknown> {
  const { outcome, reasons, decision, quorum, usage, spend } = finished.result;
  const advice = adviseLimits(finished.turns);
  const about = { run: runId, outcome, reasons, quorum, usage, spend, ...(advice.length > 0 ? { advice } : {}) };
  return { ...(decision as object | null), parley: about };
}
