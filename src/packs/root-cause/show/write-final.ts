import type { Section } from "../../../contract/view.ts";
import type { LogSource } from "../../../knowledge/logs/index.ts";
import { findBestTop } from "../rules/final.ts";
import type { Evidence } from "../schemas/hypothesis.ts";
import type { DebateRecord } from "../schemas/round.ts";
import { printPoints } from "./score-text.ts";

/** The best hypothesis: score, source, words, evidence with its place, numbered resolution. */
export function writeFinal(decision: DebateRecord, sources: readonly LogSource[]): Section[] {
  const final = decision.final_hypothesis;
  if (!final) return [{ kind: "text", title: "", text: "No hypothesis was put forward." }];
  const struck = findBestTop(decision.rounds)?.top.struck ?? [];
  const score = final.judge_score === null ? "not judged" : `Score: ${printPoints(final.judge_score)}/100`;
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
        ...final.evidence.map((item) => writeEvidence(item, sources)),
        ...struck.map((item) => `Struck, not found: ${writeEvidence(item, sources)}`),
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
    { kind: "list", title: "What would change this answer", items: listDoubts(decision) },
  ];
}

/** Up to this, an answer rests on symptoms and not on a line that names a cause. */
const bySymptoms = 0.6;

/** What a reader can look for who doubts the answer: a line that names the cause, or that the next best one holds. */
function listDoubts(decision: DebateRecord): string[] {
  const final = decision.final_hypothesis;
  if (!final || final.category === "none") return [];
  const [next] = listRunnersUp(decision);
  const where = final.affected_components[0] ?? "the program";
  return [
    ...(final.confidence <= bySymptoms
      ? [`a line that says why: what is quoted shows that ${where} fails, and does not name the reason outright`]
      : []),
    ...(next ? [`that the steps above do not end the trouble; the next best is then ${next}`] : []),
  ];
}

/** Incidents of their own beside the decided one, each with when it began, its cause and a line that shows it. */
export function writeSeparate({ separate_incidents = [] }: DebateRecord, sources: readonly LogSource[]): Section {
  const items = separate_incidents.map(({ hypothesis, category, began, programs, judge_score, evidence }) => {
    const since = began === null ? "" : ` since ${new Date(began).toISOString().slice(0, 19).replace("T", " ")}`;
    const shown = evidence.find(({ kind }) => kind === "log");
    const line = shown ? ` (${writeEvidence(shown, sources)})` : "";
    return `${programs.join(", ")}${since}, ${printPoints(judge_score)}/100 ${category}: ${hypothesis}${line}`;
  });
  return { kind: "list", title: "Separate incidents, unrelated to this one", items };
}

/** Evidence with its place: file and line, or the past incident. */
function writeEvidence({ kind, ref, quote }: Evidence, [only, ...more]: readonly LogSource[]): string {
  if (kind === "kg") return `Historical: ${ref}: ${quote}`;
  if (typeof ref === "string") return `Log: ${ref}: ${quote}`;
  const named = only !== undefined && more.length === 0 && only.name !== "-";
  return named ? `Log: ${only.name}:${ref}: ${quote}` : `Log: line ${ref}: ${quote}`;
}

const mostRunnersUp = 3;

/** The best hypotheses of other causes, so that a reader sees what was weighed. */
export function listRunnersUp(decision: DebateRecord): string[] {
  const best = findBestTop(decision.rounds);
  const round = best && decision.rounds[best.round];
  const evaluated = round?.judge_evaluation?.evaluated ?? [];
  const said = round ? Object.values(round.hypotheses).flatMap((list) => list ?? []) : [];
  const seen = new Set([best?.top.hypothesis]);
  const others = evaluated.flatMap(({ id, judge_score }) => {
    const hypothesis = said.find((one) => one.id === id);
    if (!hypothesis || seen.has(hypothesis.hypothesis)) return [];
    seen.add(hypothesis.hypothesis);
    return [`${printPoints(judge_score)}/100 ${hypothesis.category}: ${hypothesis.hypothesis}`];
  });
  return others.slice(0, mostRunnersUp);
}
