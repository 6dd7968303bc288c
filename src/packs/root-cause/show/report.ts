import type { Finished, ReportStyle } from "../../../engine/pack.ts";
import type { RootCauseConfig } from "../config.ts";
import type { RootCauseDecision, Round } from "../decision.ts";
import { type ReasonerName, reasonerNames } from "../hypothesis.ts";
import type { RootCauseInput } from "../input.ts";
import { finalLines, runnersUp } from "./final-lines.ts";
import { points, signed, sparkline, wrap } from "./text.ts";

export type Done = Finished<RootCauseInput, RootCauseConfig, RootCauseDecision>;

const rule = "=".repeat(70);
const titles: Record<ReasonerName, string> = { log_focused: "Log-Focused", kg_focused: "KG-Focused", hybrid: "Hybrid" };
const reached: Partial<Record<RootCauseDecision["stop_reason"], string>> = {
  plateau: "Score plateau",
  consensus: "Consensus",
};

/** The printed report: a block a round, then the result (root-cause §6). */
export function report({ input, config, result }: Done, style: ReportStyle): string {
  const { decision } = result;
  const bold = (text: string) => (style.color ? `\u001B[1m${text}\u001B[22m` : text);
  const heading = (text: string) => [rule, bold(text), rule, ""];
  if (!decision) return `No root cause (${result.outcome}): ${result.reasons.join("; ")}\n`;
  const { rounds, total_rounds } = decision;
  const lines = [
    ...heading(headline(decision, config)),
    ...rounds.flatMap((round, index) => [...roundLines(round, rounds[index - 1], decision, config), ""]),
    ...heading("FINAL RESULT"),
    ...(result.outcome === "decided" ? [] : [`${result.outcome}: ${result.reasons.join("; ")}`, ""]),
    ...finalLines(decision, input.sources),
    ...(total_rounds > 0 && decision.improvement_trajectory.length > 0
      ? [trajectoryLine(decision), convergenceLine(decision)]
      : []),
    "",
    ...runnersUp(decision),
    readLine(input),
  ];
  return `${lines.flatMap((line) => wrap(line, style.width)).join("\n")}\n`;
}

function headline({ total_rounds, stop_reason }: RootCauseDecision, { protocol }: RootCauseConfig): string {
  if (stop_reason === "no_debate") return `NO DEBATE - ${protocol.toUpperCase().replace("_", " ")}`;
  return `DEBATE PROTOCOL - ${total_rounds} ${total_rounds === 1 ? "ROUND" : "ROUNDS"}`;
}

function roundLines(
  round: Round,
  before: Round | undefined,
  decision: RootCauseDecision,
  config: RootCauseConfig,
): string[] {
  const { round_number: number, judge_evaluation: judged, top_hypothesis: top } = round;
  const last = number === decision.total_rounds;
  const final = number > 1 && number === config.max_rounds;
  const title = number === 1 ? "Initial Hypotheses" : final ? "Final Refinement" : "Refinement";
  const lines = [`ROUND ${number}: ${title}`];
  if (number > 1) lines.push(final ? "  - Final improvements made" : "  - Reasoners refined based on feedback");
  for (const name of reasonerNames) lines.push(`  - ${titles[name]}: ${countOf(round.hypotheses[name], name, config)}`);
  if (judged) lines.push(`  - Judge Evaluation: Top score = ${points(top?.judge_score ?? 0)}/100`);
  else if (decision.stop_reason === "quorum") lines.push("  - Judge Evaluation: none (below quorum)");
  if (judged?.disagreement)
    lines.push(
      `  - Read in both orders: ${points(judged.disagreement.mean_points)} points apart on average${judged.disagreement.top_changed ? ", another top" : ""}`,
    );
  const previous = before?.top_hypothesis?.judge_score;
  if (judged && typeof previous === "number")
    lines.push(`  - Improvement: ${signed((top?.judge_score ?? 0) - previous)} points`);
  const why = reached[decision.stop_reason];
  if (last && why) lines.push(`  - Convergence: ${why} detected`);
  return lines;
}

function countOf(hypotheses: Round["hypotheses"]["hybrid"], name: ReasonerName, config: RootCauseConfig): string {
  if (hypotheses) return `${hypotheses.length} ${hypotheses.length === 1 ? "hypothesis" : "hypotheses"}`;
  return name === "kg_focused" && !config.knowledge.enabled ? "not asked (no knowledge graph)" : "no answer";
}

function trajectoryLine({ improvement_trajectory: scores, total_rounds }: RootCauseDecision): string {
  const gain = Math.max(...scores) - (scores[0] ?? 0);
  const over = `${total_rounds} ${total_rounds === 1 ? "round" : "rounds"}`;
  return `Improvement Trajectory: ${scores.map(points).join(" → ")} (${signed(gain)} points over ${over})  ${sparkline(scores)}`;
}

function convergenceLine({ convergence_achieved, stop_reason }: RootCauseDecision): string {
  if (convergence_achieved) return `Convergence: Achieved (${(reached[stop_reason] ?? stop_reason).toLowerCase()})`;
  return `Convergence: Not achieved (${stop_reason === "quorum" ? "below quorum" : "maximum rounds"})`;
}

function readLine({ totals, reference }: RootCauseInput): string {
  const compared = reference
    ? `, compared with ${reference.events.toLocaleString("en")} events of ${reference.name}`
    : "";
  const left =
    totals.left_out_events > 0 ? `, ${totals.left_out_events.toLocaleString("en")} events counted but not shown` : "";
  return `Read: ${totals.lines.toLocaleString("en")} lines, ${totals.events.toLocaleString("en")} events, ${totals.templates.toLocaleString("en")} templates${left}${compared}`;
}
