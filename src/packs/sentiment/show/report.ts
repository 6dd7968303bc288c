import type { Finished, ReportStyle } from "../../../engine/pack.ts";
import type { FinalAspect, FinalOutput } from "../schemas/final-output.ts";
import { summariseDebate } from "./debate-lines.ts";
import { displayWidth, padTo } from "../../../text/display-width.ts";
import { findMarks, toneOf } from "./evidence-marks.ts";
import { underlineMarks } from "./marked-text.ts";
import { createPaint, type Paint } from "../../../print/paint.ts";
import { explainAdoption, listGateSteps, listModeratorSteps, listSettleSteps, type Step } from "./rule-steps.ts";
import { wrap } from "../../../text/wrap.ts";

/** What is shown of a run: its result. */
export type Done = Pick<Finished<unknown, unknown, FinalOutput>, "result">;

/** The report printed in a terminal: tuples with their evidence underlined, the debate in brief, each rule with its numbers. */
export function report({ result }: Done, style: ReportStyle): string {
  const { decision } = result;
  if (!decision) return `No decision (${result.outcome}): ${result.reasons.join("; ")}\n`;
  const paint = createPaint(style.color);
  const width = Math.max(40, style.width);
  const parts = [
    underlineMarks(decision.meta.text, findMarks(decision), width - 2, paint).map((line) => `  ${line}`),
    listTuples(decision, paint, width),
    listSentence(decision, result, paint),
    listDebate(decision, paint, width),
    listSteps("Override gate", listGateSteps(decision), paint, width),
    listSteps("Settling", listSettleSteps(decision), paint, width),
    listSteps("Result", [explainAdoption(decision)], paint, width),
    listSteps("Moderator", listModeratorSteps(decision), paint, width),
    [paint.dim(writeCost(result))],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

function listTuples({ final_result }: FinalOutput, paint: Paint, width: number): string[] {
  const { final_aspects, mentions } = final_result;
  const column = Math.min(30, Math.max(...final_aspects.map((one) => displayWidth(nameOf(one))), 0));
  const lines = final_aspects.map((one) => {
    const words = one.opinion_term?.term ?? one.evidence.trim();
    const quote = words === "" ? "" : `  “${words}”`;
    const start = `  ${paint.bold(padTo(nameOf(one), column))}  ${paint.tone(padTo(one.polarity, 8), toneOf(one.polarity))}  ${one.confidence.toFixed(2)}`;
    return displayWidth(quote) + column + 18 <= width ? `${start}${quote}` : start;
  });
  if (lines.length === 0) lines.push("  no opinion on any aspect");
  return mentions.length === 0
    ? lines
    : [...lines, paint.dim(`  mentioned without an opinion: ${mentions.join(", ")}`)];
}

function nameOf(aspect: FinalAspect): string {
  return aspect.aspect_ref || "(implicit)";
}

function listSentence(
  { final_result: { label, confidence } }: FinalOutput,
  result: Done["result"],
  paint: Paint,
): string[] {
  const tone = label === "mixed" ? "warn" : toneOf(label);
  const line = `${paint.bold("Sentence")}  ${paint.tone(label, tone)} (confidence ${confidence.toFixed(2)})`;
  return result.outcome === "decided"
    ? [line]
    : [line, paint.tone(`${result.outcome}: ${result.reasons.join("; ")}`, "warn")];
}

function listDebate({ debate }: FinalOutput, paint: Paint, width: number): string[] {
  if (debate === null) return [];
  const turns = summariseDebate(debate);
  const several = debate.rounds.length > 1;
  const names = turns.map((turn) => (several && turn.key !== "judge" ? `${turn.speaker} ${turn.round}` : turn.speaker));
  const column = Math.max(...names.map(displayWidth), 0);
  const lines = turns.flatMap((turn, at) => {
    const separator = debate.style === "patch" ? " · " : " ";
    const [first = "", ...more] = wrap(turn.lines.join(separator), width - column - 4);
    return [`  ${padTo(names[at] ?? "", column)}  ${first}`, ...more.map((line) => `  ${" ".repeat(column)}  ${line}`)];
  });
  const shown = debate.memory.injected_before.length;
  const memory =
    shown === 0
      ? []
      : [
          `  memory of ${debate.memory.injected.length} episodes shown before ${debate.memory.injected_before.join(", ")}`,
        ];
  return [paint.bold(`Debate (${debate.style})`), ...lines, ...memory];
}

function listSteps(title: string, steps: readonly Step[], paint: Paint, width: number): string[] {
  if (steps.length === 0) return [];
  const column = Math.min(24, Math.max(...steps.map((step) => displayWidth(step.label))));
  const lines = steps.flatMap((step) => {
    const outcome = step.tone ? paint.tone(step.outcome, step.tone) : step.outcome;
    const detail = step.detail === "" ? [] : wrap(step.detail, width - column - 6);
    return [
      `  ${padTo(step.label, column)}  ${outcome}`,
      ...detail.map((line) => `  ${" ".repeat(column)}    ${paint.dim(line)}`),
    ];
  });
  return [paint.bold(title), ...lines];
}

function writeCost({ usage, quorum }: Done["result"]): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const price = usage.costUsd === null ? "cost unknown" : `$${usage.costUsd.toFixed(4)}`;
  const paid =
    tokens === 0 ? "no model calls" : `${usage.calls} calls, ${tokens.toLocaleString("en")} tokens, ${price}`;
  const quiet = quorum.abstained > 0 ? `, ${quorum.abstained} abstained` : "";
  return `${quorum.asked} turns${quiet} · ${paid}`;
}
