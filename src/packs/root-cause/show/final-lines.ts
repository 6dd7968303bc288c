import type { RootCauseDecision } from "../decision.ts";
import type { Evidence } from "../hypothesis.ts";
import type { LogSource } from "../logs/parsed-log.ts";
import { bestTop } from "../rules/final.ts";
import { points } from "./text.ts";

/** The best hypothesis as it is printed: score, source, words, evidence with its place, numbered resolution. */
export function finalLines(decision: RootCauseDecision, sources: readonly LogSource[]): string[] {
  const final = decision.final_hypothesis;
  if (!final) return ["No hypothesis was put forward.", ""];
  const struck = bestTop(decision.rounds)?.top.struck ?? [];
  const score = final.judge_score === null ? "not judged" : `Score: ${points(final.judge_score)}/100`;
  return [
    `Best Hypothesis (${score}):`,
    `  Source: ${final.source}`,
    `  Hypothesis: ${final.hypothesis}`,
    `  Category: ${final.category}`,
    ...(final.affected_components.length > 0 ? [`  Components: ${final.affected_components.join(", ")}`] : []),
    `  Confidence: ${final.confidence.toFixed(2)}`,
    `  Rounds Refined: ${final.rounds_refined}`,
    "",
    "  Evidence:",
    ...(final.evidence.length > 0
      ? final.evidence.map((item) => `    - ${evidenceText(item, sources)}`)
      : ["    - none"]),
    ...struck.map((item) => `    - Struck, not found: ${evidenceText(item, sources)}`),
    ...(final.causal_path.length > 1 ? ["", "  Causal Path:", `    ${final.causal_path.join(" → ")}`] : []),
    "",
    "  Resolution:",
    ...(final.resolution.length > 0
      ? final.resolution.map((step, index) => `    ${index + 1}. ${step}`)
      : ["    none suggested"]),
    "",
  ];
}

/** Evidence with its place: file and line, or the past incident. */
function evidenceText({ kind, ref, quote }: Evidence, [only, ...more]: readonly LogSource[]): string {
  if (kind === "kg") return `Historical: ${ref}: ${quote}`;
  if (typeof ref === "string") return `Log: ${ref}: ${quote}`;
  const named = only !== undefined && more.length === 0 && only.name !== "-";
  return named ? `Log: ${only.name}:${ref}: ${quote}` : `Log: line ${ref}: ${quote}`;
}

const mostRunnersUp = 3;

/** The best hypotheses of other causes, so that a reader sees what was weighed. */
export function runnersUp(decision: RootCauseDecision): string[] {
  const best = bestTop(decision.rounds);
  const round = best && decision.rounds[best.round];
  const evaluated = round?.judge_evaluation?.evaluated ?? [];
  const said = round ? Object.values(round.hypotheses).flatMap((list) => list ?? []) : [];
  const seen = new Set([best?.top.hypothesis]);
  const others = evaluated.flatMap(({ id, judge_score }) => {
    const hypothesis = said.find((one) => one.id === id);
    if (!hypothesis || seen.has(hypothesis.hypothesis)) return [];
    seen.add(hypothesis.hypothesis);
    return [`  ${points(judge_score)}/100 ${hypothesis.category}: ${hypothesis.hypothesis}`];
  });
  return others.length > 0 ? ["Also considered:", ...others.slice(0, mostRunnersUp), ""] : [];
}
