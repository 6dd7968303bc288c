import type { Finding, Section } from "../../../contract/view.ts";
import type { Artifact, Finished } from "../../../engine/pack.ts";
import { sparkline } from "../../../text/layout.ts";
import { checkEvidence, findLine } from "../rules/evidence.ts";
import { listHypotheses } from "../rules/round.ts";
import { findBest, listRivals } from "../rules/settle.ts";
import { type Evidence, type ReasonerName, reasonerNames } from "../schemas/hypothesis.ts";
import type { Material } from "../schemas/material.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";
import { reasonerTitles, type ShownCase } from "./story.ts";

type ShownConfig = { protocol: string; max_rounds: number; plateau_points: number; knowledge: { enabled: boolean } };

export type Done = Finished<ShownCase, ShownConfig, DebateRecord, Material>;

/** The report (root-cause spec §6): the cause, each round, the result, and the checks. */
export function showSections(done: Done): Section[] {
  const { config, result, material } = done;
  const { decision } = result;
  if (!decision)
    return [
      { kind: "verdict", title: "", answer: `No root cause (${result.outcome})`, tone: "warn", points: result.reasons },
    ];
  const { rounds } = decision;
  return [
    showVerdict(decision, done),
    {
      kind: "group",
      title: writeTitle(decision, config),
      folded: true,
      sections: rounds.map((round, index) => showRound(round, rounds[index - 1], decision, config)),
    },
    {
      kind: "group",
      title: "FINAL RESULT",
      sections: [
        ...showFinal(decision, material),
        showSeparate(decision, material),
        showTrajectory(decision),
        { kind: "list", title: "Also considered", items: listConsidered(decision) },
      ],
    },
    { kind: "checks", title: "Checks", detail: true, findings: checkQuotes(decision, material) },
    { kind: "facts", title: "", rows: [{ label: "Read", value: writeTotals(material) }] },
  ];
}

function showVerdict(
  { final_hypothesis: final, caveats }: DebateRecord,
  { result: { outcome, reasons } }: Done,
): Section {
  const isDecided = outcome === "decided";
  const cause = final?.hypothesis ?? "No hypothesis was put forward";
  const place = final
    ? [[final.certainty.toUpperCase(), final.category, ...final.affected_components].join(" · ")]
    : [];
  return {
    kind: "verdict",
    title: "",
    answer: isDecided ? cause : `${cause} (${outcome})`,
    tone: isDecided ? "good" : "warn",
    ...(final && { confidence: final.confidence }),
    points: [...(isDecided ? [] : reasons), ...place, ...caveats],
    headline: describeHeadline(final),
    language: "en",
  };
}

function describeHeadline(final: DebateRecord["final_hypothesis"]): Record<string, string> {
  if (!final) return { cause: "none" };
  const { hypothesis: cause, category, affected_components: components, certainty } = final;
  return { cause, category, components: components.join(", ") || "none", certainty };
}

function writeTitle({ total_rounds, stop_reason }: DebateRecord, { protocol }: Done["config"]): string {
  if (stop_reason === "no_debate") return `NO DEBATE - ${protocol.toUpperCase().replace("_", " ")}`;
  return `DEBATE PROTOCOL - ${total_rounds} ${total_rounds === 1 ? "ROUND" : "ROUNDS"}`;
}

const reached: Partial<Record<DebateRecord["stop_reason"], string>> = {
  plateau: "Score plateau",
  consensus: "Consensus",
};

function showRound(round: Round, before: Round | undefined, decision: DebateRecord, config: Done["config"]): Section {
  const { round_number: number, judge_evaluation: judged, top_hypothesis: top } = round;
  const isLast = number > 1 && number === config.max_rounds;
  const title = number === 1 ? "Initial Hypotheses" : isLast ? "Final Refinement" : "Refinement";
  const previous = before?.top_hypothesis?.judge_score;
  const why = number === decision.total_rounds ? reached[decision.stop_reason] : undefined;
  const swapped = judged?.disagreement;
  const items = [
    ...(number > 1 ? [isLast ? "Final improvements made" : "Reasoners refined based on feedback"] : []),
    ...reasonerNames.map((name) => `${reasonerTitles[name]}: ${writeCount(round, name, config)}`),
    ...(judged
      ? [`Judge Evaluation: Top score = ${formatPoints(top?.judge_score ?? 0)}/100`]
      : decision.stop_reason === "quorum"
        ? ["Judge Evaluation: none (below quorum)"]
        : []),
    ...(swapped
      ? [
          `Read in both orders: ${formatPoints(swapped.mean_points)} points apart on average${swapped.top_changed ? ", another top" : ""}`,
        ]
      : []),
    ...(judged && typeof previous === "number"
      ? [`Improvement: ${formatSigned((top?.judge_score ?? 0) - previous)} points`]
      : []),
    ...(why ? [`Convergence: ${why} detected`] : []),
  ];
  return { kind: "list", title: `ROUND ${number}: ${title}`, items };
}

function writeCount({ hypotheses }: Round, name: ReasonerName, { knowledge }: Done["config"]): string {
  const count = hypotheses[name]?.length;
  if (count !== undefined) return `${count} ${count === 1 ? "hypothesis" : "hypotheses"}`;
  return name === "kg_focused" && !knowledge.enabled ? "not asked (no knowledge graph)" : "no answer";
}

function showFinal(decision: DebateRecord, material: Material): Section[] {
  const final = decision.final_hypothesis;
  if (!final) return [{ kind: "text", title: "", text: "No hypothesis was put forward." }];
  const struck = findBest(decision.rounds)?.top.struck ?? [];
  const score = final.judge_score === null ? "not judged" : `Score: ${formatPoints(final.judge_score)}/100`;
  const rows = [
    { label: "Source", value: final.source },
    { label: "Hypothesis", value: final.hypothesis },
    { label: "Certainty", value: final.certainty.toUpperCase() },
    { label: "Category", value: final.category },
    ...(final.affected_components.length > 0
      ? [{ label: "Components", value: final.affected_components.join(", ") }]
      : []),
    { label: "Confidence", value: final.confidence.toFixed(2) },
    { label: "Rounds Refined", value: String(final.rounds_refined) },
  ];
  const items = [
    ...final.evidence.map((item) => writeEvidence(item, material)),
    ...struck.map((item) => `Struck, not found: ${writeEvidence(item, material)}`),
  ];
  return [
    { kind: "facts", title: `Best Hypothesis (${score})`, rows },
    { kind: "list", title: "Evidence", items: items.length > 0 ? items : ["none"] },
    { kind: "text", title: "Reasoning", detail: true, text: final.reasoning },
    { kind: "text", title: "Causal Path", text: final.causal_path.length > 1 ? final.causal_path.join(" → ") : "" },
    {
      kind: "list",
      title: "Resolution",
      ordered: true,
      items: final.resolution.length > 0 ? final.resolution : ["none suggested"],
    },
    { kind: "list", title: "What would settle it", items: final.would_tell },
  ];
}

function writeEvidence({ kind, ref, quote }: Evidence, material: Material): string {
  if (kind === "kg") return `Historical: ${ref}: ${quote}`;
  if (kind === "pattern") return `Pattern: ${ref}: ${quote}`;
  const text = findLine(material, ref)?.text.trim() ?? quote;
  const [only] = material.sources;
  const isNamed = typeof ref === "number" && material.sources.length === 1 && only?.name !== "-";
  return `Log: ${isNamed ? `${only?.name}:${ref}` : typeof ref === "string" ? ref : `line ${ref}`}: ${text}`;
}

function showSeparate({ separate_incidents = [] }: DebateRecord, material: Material): Section {
  const items = separate_incidents.map(({ hypothesis, category, began, programs, judge_score, evidence }) => {
    const shown = evidence.find(({ kind }) => kind === "log");
    const since = began === null ? "" : ` since ${new Date(began).toISOString().slice(0, 19).replace("T", " ")}`;
    return `${programs.join(", ")}${since}, ${formatPoints(judge_score)}/100 ${category}: ${hypothesis}${shown ? ` (${writeEvidence(shown, material)})` : ""}`;
  });
  return { kind: "list", title: "Separate incidents, unrelated to this one", items };
}

function listConsidered({ rounds }: DebateRecord): string[] {
  const best = findBest(rounds);
  const rivals = best ? listRivals(best) : [];
  const remarks = rivals.map(
    ({ judge_score, category, hypothesis }) => `${formatPoints(judge_score)}/100 ${category}: ${hypothesis}`,
  );
  return [...new Set(remarks)].slice(0, 3);
}

function showTrajectory({
  improvement_trajectory: scores,
  total_rounds,
  convergence_achieved,
  stop_reason,
}: DebateRecord): Section {
  if (total_rounds === 0 || scores.length === 0) return { kind: "facts", title: "", rows: [] };
  const line = scores.map((score) => formatPoints(score)).join(" → ");
  const gain = scores.length > 1 ? ` (${formatSigned((scores.at(-1) ?? 0) - (scores[0] ?? 0))} points)` : "";
  return {
    kind: "facts",
    title: "",
    rows: [
      { label: "Improvement Trajectory", value: `${line}${gain} ${sparkline(scores, 100)}` },
      {
        label: "Convergence",
        value: convergence_achieved
          ? `achieved in ${total_rounds} rounds (${stop_reason})`
          : `not achieved (${stop_reason})`,
      },
    ],
  };
}

/** Whether each quote stands where it is cited; replay checks points and the final. */
function checkQuotes({ rounds }: DebateRecord, material: Material): Finding[] {
  return rounds.flatMap((round, index) => {
    const quoted = rounds
      .slice(0, index)
      .flatMap(listHypotheses)
      .flatMap((before) => before.evidence);
    return listHypotheses(round).map(({ id, source, evidence }) => {
      const wrong = evidence.flatMap(
        (item) => checkEvidence(item, material, { reasoner: source, quoted })?.message ?? [],
      );
      const message = wrong.length === 0 ? `${evidence.length} quotes stand where they are cited` : wrong.join("; ");
      return { check: "quotes exist", ok: wrong.length === 0, where: `round ${round.round_number}, ${id}`, message };
    });
  });
}

function writeTotals({ totals }: Material): string {
  const levels = Object.entries(totals.by_level).map(([level, count]) => `${level} ${count}`);
  const shown = `${totals.shown} lines were shown to the speakers${totals.reference === null ? "" : `, compared with ${totals.reference}`}`;
  return `${totals.lines} lines of ${totals.files} ${totals.files === 1 ? "file" : "files"}: ${totals.events} events (${levels.join(", ")}), ${totals.templates} templates; ${shown}`;
}

/** The files of a run: the output object, the printed report, and the knowledge graph's matches. */
export function listArtifacts(done: Done): Artifact[] {
  const format = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { name: "root-cause.json", content: format(done.result.decision) },
    { name: "report.txt", content: showSections(done).filter(({ detail }) => !detail) },
    { name: "knowledge.json", content: format(done.material.history) },
  ];
}

function formatPoints(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function formatSigned(value: number): string {
  return `${value >= 0 ? "+" : ""}${formatPoints(value)}`;
}
