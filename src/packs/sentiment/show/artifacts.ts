import type { TextArtifact } from "../../../engine/pack.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { listGateDebugLines, summariseGate, toGateSample } from "./gate-debug.ts";
import { scorecardOf, traceOf } from "./scorecard.ts";

/** The JSONL files of a run and the lines that one sample adds to each. */
export const lineFiles: Record<string, (output: FinalOutput) => object[]> = {
  "outputs.jsonl": (output) => [output],
  "scorecards.jsonl": (output) => [scorecardOf(output)],
  "traces.jsonl": (output) => [traceOf(output)],
  "override_gate_debug.jsonl": listGateDebugLines,
  "episodic_store.jsonl": (output) => (output.memory_episode ? [output.memory_episode] : []),
};

/** The files of a run's folder, written afresh (sentiment spec §6). */
export function buildArtifacts(outputs: readonly FinalOutput[]): TextArtifact[] {
  return [
    ...Object.entries(lineFiles).map(([name, linesOf]) => ({ name, content: toJsonLines(outputs.flatMap(linesOf)) })),
    {
      name: "override_gate_debug_summary.json",
      content: `${JSON.stringify(summariseGate(outputs.map(toGateSample)), null, 2)}\n`,
    },
  ];
}

/** JSON Lines. */
export function toJsonLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
