import type { Section } from "../../../contract/view.ts";
import { sparkline } from "../../../text/sparkline.ts";
import { type ReasonerName, reasonerNames } from "../schemas/hypothesis.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import { completeLog } from "../roles/complete-log.ts";
import type { Done, ShownConfig } from "./done.ts";
import { printPoints, printSigned } from "./score-text.ts";
import { writeTimeline } from "./timeline.ts";
import { listRunnersUp, writeFinal, writeSeparate } from "./write-final.ts";

const titles: Record<ReasonerName, string> = { log_focused: "Log-Focused", kg_focused: "KG-Focused", hybrid: "Hybrid" };
const reached: Partial<Record<DebateRecord["stop_reason"], string>> = {
  plateau: "Score plateau",
  consensus: "Consensus",
};

/** What a terminal shows: the cause, then a block for each round, then the result (root-cause spec §6). */
export function report({ input, config, result }: Done): Section[] {
  const { decision } = result;
  if (!decision)
    return [
      { kind: "verdict", title: "", answer: `No root cause (${result.outcome})`, tone: "warn", points: result.reasons },
    ];
  const { rounds } = decision;
  return [
    writeVerdict(decision, result),
    {
      kind: "group",
      title: writeTitle(decision, config),
      sections: rounds.map((round, index) => writeRound(round, rounds[index - 1], decision, config)),
    },
    {
      kind: "group",
      title: "FINAL RESULT",
      sections: [
        ...writeFinal(decision, input.sources),
        writeSeparate(decision, input.sources),
        writeTimeline(input, listQuotedLines(decision)),
        writeTrajectory(decision),
        { kind: "list", title: "Also considered", items: listRunnersUp(decision) },
      ],
    },
    { kind: "facts", title: "", rows: [{ label: "Read", value: writeTotals(completeLog(input)) }] },
  ];
}

function listQuotedLines({ final_hypothesis: final }: DebateRecord): (number | string)[] {
  return (final?.evidence ?? []).filter(({ kind }) => kind === "log").map(({ ref }) => ref);
}

function writeVerdict({ final_hypothesis: final }: DebateRecord, { outcome, reasons }: Done["result"]): Section {
  const isDecided = outcome === "decided";
  const cause = final?.hypothesis ?? "No hypothesis was put forward";
  return {
    kind: "verdict",
    title: "",
    answer: isDecided ? cause : `${cause} (${outcome})`,
    tone: isDecided ? "good" : "warn",
    ...(final && { confidence: final.confidence }),
    points: [
      ...(isDecided ? [] : reasons),
      ...(final ? [[final.category, ...final.affected_components].join(" · ")] : []),
    ],
  };
}

function writeTitle({ total_rounds, stop_reason }: DebateRecord, { protocol }: ShownConfig): string {
  if (stop_reason === "no_debate") return `NO DEBATE - ${protocol.toUpperCase().replace("_", " ")}`;
  return `DEBATE PROTOCOL - ${total_rounds} ${total_rounds === 1 ? "ROUND" : "ROUNDS"}`;
}

function writeRound(round: Round, before: Round | undefined, decision: DebateRecord, config: ShownConfig): Section {
  const { round_number: number, judge_evaluation: judged, top_hypothesis: top } = round;
  const final = number > 1 && number === config.max_rounds;
  const title = number === 1 ? "Initial Hypotheses" : final ? "Final Refinement" : "Refinement";
  const items: string[] = [];
  if (number > 1) items.push(final ? "Final improvements made" : "Reasoners refined based on feedback");
  for (const name of reasonerNames) items.push(`${titles[name]}: ${printCount(round.hypotheses[name], name, config)}`);
  if (judged) items.push(`Judge Evaluation: Top score = ${printPoints(top?.judge_score ?? 0)}/100`);
  else if (decision.stop_reason === "quorum") items.push("Judge Evaluation: none (below quorum)");
  if (judged?.disagreement)
    items.push(
      `Read in both orders: ${printPoints(judged.disagreement.mean_points)} points apart on average${judged.disagreement.top_changed ? ", another top" : ""}`,
    );
  const previous = before?.top_hypothesis?.judge_score;
  if (judged && typeof previous === "number")
    items.push(`Improvement: ${printSigned((top?.judge_score ?? 0) - previous)} points`);
  const why = reached[decision.stop_reason];
  if (number === decision.total_rounds && why) items.push(`Convergence: ${why} detected`);
  return { kind: "list", title: `ROUND ${number}: ${title}`, items };
}

function printCount(hypotheses: Round["hypotheses"]["hybrid"], name: ReasonerName, config: ShownConfig): string {
  if (hypotheses) return `${hypotheses.length} ${hypotheses.length === 1 ? "hypothesis" : "hypotheses"}`;
  return name === "kg_focused" && !config.knowledge.enabled ? "not asked (no knowledge graph)" : "no answer";
}

function writeTrajectory(decision: DebateRecord): Section {
  const { improvement_trajectory: scores, total_rounds } = decision;
  if (total_rounds === 0 || scores.length === 0) return { kind: "facts", title: "", rows: [] };
  const gain = Math.max(...scores) - (scores[0] ?? 0);
  const over = `${total_rounds} ${total_rounds === 1 ? "round" : "rounds"}`;
  const values = scores.map(printPoints).join(" → ");
  return {
    kind: "facts",
    title: "",
    rows: [
      {
        label: "Improvement Trajectory",
        value: `${values} (${printSigned(gain)} points over ${over}) ${sparkline(scores, 100)}`,
      },
      { label: "Convergence", value: writeConvergence(decision) },
    ],
  };
}

function writeConvergence({ convergence_achieved, stop_reason }: DebateRecord): string {
  if (convergence_achieved) return `Achieved (${(reached[stop_reason] ?? stop_reason).toLowerCase()})`;
  return `Not achieved (${stop_reason === "quorum" ? "below quorum" : "maximum rounds"})`;
}

function writeTotals({ totals, reference }: ParsedLog): string {
  const compared = reference
    ? `, compared with ${reference.events.toLocaleString("en")} events of ${reference.name}`
    : "";
  const left =
    totals.left_out_events > 0 ? `, ${totals.left_out_events.toLocaleString("en")} events counted but not shown` : "";
  return `${totals.lines.toLocaleString("en")} lines, ${totals.events.toLocaleString("en")} events, ${totals.templates.toLocaleString("en")} templates${left}${compared}`;
}
