import type { Section } from "../../../contract/view.ts";
import type { Finished } from "../../../engine/pack.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { summariseDebate } from "./debate-lines.ts";
import { findMarks, toneOf } from "./evidence-marks.ts";
import { explainAdoption, listGateSteps, listModeratorSteps, listSettleSteps } from "./rule-steps.ts";
import { formatSpend } from "../../../text/spend-text.ts";

/** What is shown of a run: its result. */
export type Done = Pick<Finished<unknown, unknown, FinalOutput>, "result">;

/** What a terminal shows: the label, the text with its evidence underlined, the tuples, the debate in brief, each rule with its numbers. */
export function report({ result }: Done): Section[] {
  const { decision } = result;
  if (!decision)
    return [
      { kind: "verdict", title: "", answer: `No decision (${result.outcome})`, tone: "warn", points: result.reasons },
    ];
  return [
    showVerdict(decision, result),
    { kind: "highlight", title: "", text: decision.meta.text, marks: findMarks(decision) },
    showTuples(decision),
    showDebate(decision),
    { kind: "steps", title: "Override gate", steps: listGateSteps(decision).map(dropNumbers) },
    { kind: "steps", title: "Settling", steps: listSettleSteps(decision) },
    { kind: "steps", title: "Result", steps: [dropNumbers(explainAdoption(decision))] },
    { kind: "steps", title: "Moderator", steps: listModeratorSteps(decision) },
    { kind: "text", title: "Cost", text: writeCost(result) },
  ];
}

/** A step whose detail says its numbers already. */
function dropNumbers<S extends { numbers?: unknown }>({ numbers: _numbers, ...step }: S): Omit<S, "numbers"> {
  return step;
}

function showVerdict({ final_result: { label, confidence } }: FinalOutput, result: Done["result"]): Section {
  const isDecided = result.outcome === "decided";
  return {
    kind: "verdict",
    title: "",
    answer: isDecided ? label : `${label} (${result.outcome})`,
    tone: label === "mixed" ? "warn" : toneOf(label),
    confidence,
    points: isDecided ? [] : result.reasons,
  };
}

function showTuples({ final_result: { final_aspects, mentions } }: FinalOutput): Section {
  const note = mentions.length === 0 ? {} : { note: `mentioned without an opinion: ${mentions.join(", ")}` };
  if (final_aspects.length === 0) return { kind: "text", title: "", text: "no opinion on any aspect", ...note };
  return {
    kind: "table",
    title: "",
    columns: ["aspect", "polarity", { name: "sure", numeric: true }, "evidence"],
    rows: final_aspects.map((one) => {
      const words = one.opinion_term?.term ?? one.evidence.trim();
      return [
        one.aspect_ref || "(implicit)",
        { text: one.polarity, tone: toneOf(one.polarity) },
        one.confidence.toFixed(2),
        words === "" ? "" : `“${words}”`,
      ];
    }),
    ...note,
  };
}

function showDebate({ debate }: FinalOutput): Section {
  if (debate === null) return { kind: "lines", title: "Debate", lines: [] };
  const several = debate.rounds.length > 1;
  const separator = debate.style === "patch" ? " · " : " ";
  const { injected, injected_before } = debate.memory;
  return {
    kind: "lines",
    title: `Debate (${debate.style})`,
    ...(injected_before.length > 0 && {
      note: `memory of ${injected.length} episodes shown before ${injected_before.join(", ")}`,
    }),
    lines: summariseDebate(debate).map(({ speaker, round, key, lines }) => ({
      ref: several && key !== "judge" ? `${speaker} ${round}` : speaker,
      text: lines.join(separator),
    })),
  };
}

function writeCost({ usage, spend, quorum }: Done["result"]): string {
  const used = usage.inputTokens + usage.outputTokens;
  const paid = formatSpend({ ...spend, used, cached: usage.cachedTokens });
  const quiet = quorum.abstained > 0 ? `, ${quorum.abstained} abstained` : "";
  return `${quorum.asked} turns${quiet} · ${paid}`;
}
