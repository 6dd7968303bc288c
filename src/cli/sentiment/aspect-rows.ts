import type { FinalOutput } from "../../packs/sentiment/index.ts";
import type { BatchResult } from "../../runs/batch/batch.ts";

/** What a row of results says of one aspect of a text; a text without an opinion has one row without an aspect. */
export type AspectRow = {
  aspect: string | null;
  polarity: string | null;
  overall: string | null;
  confidence: number | null;
  changed_by_debate: boolean | null;
  outcome: string;
  problem: string | null;
  run: string | null;
};

/** The columns of results, in their order. */
export const resultColumns = [
  "aspect",
  "polarity",
  "overall",
  "confidence",
  "changed_by_debate",
  "outcome",
  "problem",
  "run",
] as const satisfies readonly (keyof AspectRow)[];

/** A text with its columns and what was found in it. */
export type ReadText = { columns: Record<string, unknown>; rows: AspectRow[]; output: FinalOutput | null };

/** The rows of a result: one for each aspect. */
export function listAspects({ outcome, reasons, run, decision }: BatchResult): AspectRow[] {
  const output = decision as FinalOutput | null;
  const problem = outcome === "decided" ? null : reasons.join("; ") || null;
  const none = { aspect: null, polarity: null, overall: null, confidence: null, changed_by_debate: null };
  if (!output) return [{ ...none, outcome, problem, run }];
  const { label, confidence, final_tuples, stage1_tuples } = output.final_result;
  const shared = { overall: label, confidence: Number(confidence.toFixed(3)), outcome, problem, run };
  const before = new Map(stage1_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
  if (final_tuples.length === 0)
    return [{ ...shared, aspect: null, polarity: null, changed_by_debate: stage1_tuples.length > 0 }];
  return final_tuples.map(({ aspect_ref, polarity }) => ({
    ...shared,
    aspect: aspect_ref || "(implicit)",
    polarity,
    changed_by_debate: before.get(aspect_ref) !== polarity,
  }));
}
