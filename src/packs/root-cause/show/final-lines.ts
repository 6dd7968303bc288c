import type { Section } from "../../../contract/view.ts";
import type { RootCauseDecision } from "../decision.ts";
import type { Evidence } from "../hypothesis.ts";
import type { LogSource } from "../logs/parsed-log.ts";
import { bestTop } from "../rules/final.ts";
import { points } from "./text.ts";

/** The best hypothesis: score, source, words, evidence with its place, numbered resolution. */
export function finalSections(decision: RootCauseDecision, sources: readonly LogSource[]): Section[] {
  const final = decision.final_hypothesis;
  if (!final) return [{ kind: "text", title: "", text: "No hypothesis was put forward." }];
  const struck = bestTop(decision.rounds)?.top.struck ?? [];
  const score = final.judge_score === null ? "not judged" : `Score: ${points(final.judge_score)}/100`;
  return [
    {
      kind: "facts",
      title: `Best Hypothesis (${score})`,
      rows: [
        { label: "Source", value: final.source },
        { label: "Hypothesis", value: final.hypothesis },
        { label: "Category", value: final.category },
        ...(final.affected_components.length > 0
          ? [{ label: "Components", value: final.affected_components.join(", ") }]
          : []),
        { label: "Confidence", value: final.confidence.toFixed(2) },
        { label: "Rounds Refined", value: String(final.rounds_refined) },
      ],
    },
    {
      kind: "list",
      title: "Evidence",
      items: [
        ...final.evidence.map((item) => evidenceText(item, sources)),
        ...struck.map((item) => `Struck, not found: ${evidenceText(item, sources)}`),
        ...(final.evidence.length + struck.length === 0 ? ["none"] : []),
      ],
    },
    {
      kind: "text",
      title: "Causal Path",
      text: final.causal_path.length > 1 ? final.causal_path.join(" → ") : "",
    },
    {
      kind: "list",
      title: "Resolution",
      ordered: true,
      items: final.resolution.length > 0 ? final.resolution : ["none suggested"],
    },
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
    return [`${points(judge_score)}/100 ${hypothesis.category}: ${hypothesis.hypothesis}`];
  });
  return others.slice(0, mostRunnersUp);
}
