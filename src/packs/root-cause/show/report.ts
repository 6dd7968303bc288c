import type { ReportStyle } from "../../../engine/pack.ts";
import { wrapLine } from "../../../text/wrap.ts";
import { type ReasonerName, reasonerNames } from "../schemas/hypothesis.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";
import type { Done, ShownCase, ShownConfig } from "./done.ts";
import { writeFinal, writeRunnersUp } from "./write-final.ts";
import { printPoints, printSigned, drawSparkline } from "./score-text.ts";

const rule = "=".repeat(70);
const titles: Record<ReasonerName, string> = { log_focused: "Log-Focused", kg_focused: "KG-Focused", hybrid: "Hybrid" };
const reached: Partial<Record<DebateRecord["stop_reason"], string>> = {
  plateau: "Score plateau",
  consensus: "Consensus",
};

/** The printed report: one block per round, then the result (root-cause spec §6). */
export function report({ input, config, result }: Done, style: ReportStyle): string {
  const { decision } = result;
  const bold = (text: string) => (style.color ? `\u001B[1m${text}\u001B[22m` : text);
  const heading = (text: string) => [rule, bold(text), rule, ""];
  if (!decision) return `No root cause (${result.outcome}): ${result.reasons.join("; ")}\n`;
  const { rounds, total_rounds } = decision;
  const lines = [
    ...heading(writeTitle(decision, config)),
    ...rounds.flatMap((round, index) => [...writeRound(round, rounds[index - 1], decision, config), ""]),
    ...heading("FINAL RESULT"),
    ...(result.outcome === "decided" ? [] : [`${result.outcome}: ${result.reasons.join("; ")}`, ""]),
    ...writeFinal(decision, input.sources),
    ...(total_rounds > 0 && decision.improvement_trajectory.length > 0
      ? [writeTrajectory(decision), writeConvergence(decision)]
      : []),
    "",
    ...writeRunnersUp(decision),
    writeTotals(input),
  ];
  return `${lines.flatMap((line) => wrapLine(line, style.width)).join("\n")}\n`;
}

function writeTitle({ total_rounds, stop_reason }: DebateRecord, { protocol }: ShownConfig): string {
  if (stop_reason === "no_debate") return `NO DEBATE - ${protocol.toUpperCase().replace("_", " ")}`;
  return `DEBATE PROTOCOL - ${total_rounds} ${total_rounds === 1 ? "ROUND" : "ROUNDS"}`;
}

function writeRound(round: Round, before: Round | undefined, decision: DebateRecord, config: ShownConfig): string[] {
  const { round_number: number, judge_evaluation: judged, top_hypothesis: top } = round;
  const last = number === decision.total_rounds;
  const final = number > 1 && number === config.max_rounds;
  const title = number === 1 ? "Initial Hypotheses" : final ? "Final Refinement" : "Refinement";
  const lines = [`ROUND ${number}: ${title}`];
  if (number > 1) lines.push(final ? "  - Final improvements made" : "  - Reasoners refined based on feedback");
  for (const name of reasonerNames)
    lines.push(`  - ${titles[name]}: ${printCount(round.hypotheses[name], name, config)}`);
  if (judged) lines.push(`  - Judge Evaluation: Top score = ${printPoints(top?.judge_score ?? 0)}/100`);
  else if (decision.stop_reason === "quorum") lines.push("  - Judge Evaluation: none (below quorum)");
  if (judged?.disagreement)
    lines.push(
      `  - Read in both orders: ${printPoints(judged.disagreement.mean_points)} points apart on average${judged.disagreement.top_changed ? ", another top" : ""}`,
    );
  const previous = before?.top_hypothesis?.judge_score;
  if (judged && typeof previous === "number")
    lines.push(`  - Improvement: ${printSigned((top?.judge_score ?? 0) - previous)} points`);
  const why = reached[decision.stop_reason];
  if (last && why) lines.push(`  - Convergence: ${why} detected`);
  return lines;
}

function printCount(hypotheses: Round["hypotheses"]["hybrid"], name: ReasonerName, config: ShownConfig): string {
  if (hypotheses) return `${hypotheses.length} ${hypotheses.length === 1 ? "hypothesis" : "hypotheses"}`;
  return name === "kg_focused" && !config.knowledge.enabled ? "not asked (no knowledge graph)" : "no answer";
}

function writeTrajectory({ improvement_trajectory: scores, total_rounds }: DebateRecord): string {
  const gain = Math.max(...scores) - (scores[0] ?? 0);
  const over = `${total_rounds} ${total_rounds === 1 ? "round" : "rounds"}`;
  return `Improvement Trajectory: ${scores.map(printPoints).join(" → ")} (${printSigned(gain)} points over ${over})  ${drawSparkline(scores)}`;
}

function writeConvergence({ convergence_achieved, stop_reason }: DebateRecord): string {
  if (convergence_achieved) return `Convergence: Achieved (${(reached[stop_reason] ?? stop_reason).toLowerCase()})`;
  return `Convergence: Not achieved (${stop_reason === "quorum" ? "below quorum" : "maximum rounds"})`;
}

function writeTotals({ totals, reference }: ShownCase): string {
  const compared = reference
    ? `, compared with ${reference.events.toLocaleString("en")} events of ${reference.name}`
    : "";
  const left =
    totals.left_out_events > 0 ? `, ${totals.left_out_events.toLocaleString("en")} events counted but not shown` : "";
  return `Read: ${totals.lines.toLocaleString("en")} lines, ${totals.events.toLocaleString("en")} events, ${totals.templates.toLocaleString("en")} templates${left}${compared}`;
}
