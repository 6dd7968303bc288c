import type { TextArtifact } from "../../../engine/pack.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { gateDebugLines, gateDebugSummary, gateSample } from "./gate-debug.ts";
import { scorecardOf, traceOf } from "./scorecard.ts";

/** The JSONL files of a run and the lines that one sample adds to each. */
export const lineFiles: Record<string, (output: FinalOutput) => object[]> = {
  "outputs.jsonl": (output) => [output],
  "scorecards.jsonl": (output) => [scorecardOf(output)],
  "traces.jsonl": (output) => [traceOf(output)],
  "override_gate_debug.jsonl": gateDebugLines,
  "episodic_store.jsonl": (output) => (output.memory_episode ? [output.memory_episode] : []),
};

/** The files of a run's folder, written afresh (spec section 6). */
export function sentimentArtifacts(outputs: readonly FinalOutput[]): TextArtifact[] {
  return [
    ...Object.entries(lineFiles).map(([name, linesOf]) => ({ name, content: toLines(outputs.flatMap(linesOf)) })),
    {
      name: "override_gate_debug_summary.json",
      content: `${JSON.stringify(gateDebugSummary(outputs.map(gateSample)), null, 2)}\n`,
    },
  ];
}

/** JSON Lines. */
export function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
