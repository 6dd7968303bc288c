import { isRecord } from "../../../text/is-record.ts";

type Stage = "stage1" | "debate" | "stage2";

/**
 * The part of a recording that belongs to a stage. A list of trace entries `{ stage, agent, output }`, also under
 * `process_trace`, is cut down to the stage's own entries; anything else is taken as it is.
 */
export function cutStage(value: unknown, stage: Stage): unknown {
  const trace = isRecord(value) && Array.isArray(value.process_trace) ? value.process_trace : value;
  if (!Array.isArray(trace) || !trace.some(isEntry)) return isRecord(value) ? (value[stage] ?? value) : value;
  const own = trace.filter(isEntry).filter((entry) => findStage(entry.stage) === stage);
  if (stage !== "debate") return own.map((entry) => entry.output);
  const isJudge = (entry: Entry) => /judge/i.test(entry.stage);
  return {
    turns: own.filter((entry) => !isJudge(entry)).map((entry) => addAgent(entry)),
    summary: own.find(isJudge)?.output,
  };
}

type Entry = { stage: string; agent?: unknown; output: unknown };

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && typeof value.stage === "string" && "output" in value;
}

function findStage(name: string): Stage | null {
  const plain = name.toLowerCase();
  if (plain.startsWith("debate")) return "debate";
  if (plain.startsWith("stage1")) return "stage1";
  return plain.startsWith("stage2") ? "stage2" : null;
}

/** A turn that does not say who speaks is its entry's agent's. */
function addAgent({ agent, output }: Entry): unknown {
  return isRecord(output) ? { agent, ...output } : output;
}
