import { type Evidence, type Hypothesis, idPrefixes } from "../hypothesis.ts";
import { rubric } from "../judgement.ts";
import { evidenceProblem, most, type SalvagedReply } from "../roles/check-hypotheses.ts";
import type { ReasonerInput, Reviewed, Rival } from "../roles/reasoner-input.ts";
import { round } from "./log-reasoner.ts";
import { moreEvidence } from "./more-evidence.ts";
import { isSameCause } from "./same-cause.ts";

type Stated = SalvagedReply["hypotheses"][number];

/** Own hypotheses this many points behind the best are dropped. */
const hopeless = 30;
/** A criterion below this share of its points is a weakness to answer. */
const weak = 0.8;
const mostEvidence = 8;

/**
 * Refines one's own hypotheses in answer to the judge: more evidence where it was thin, a confidence nearer to the
 * score, the others' steps where something was left open; gives up the hopeless; takes over what the judge preferred.
 */
export function refineHypotheses(
  input: ReasonerInput,
  propose: (input: ReasonerInput) => SalvagedReply | null,
): SalvagedReply | null {
  const best = Math.max(...input.own.map(({ evaluation }) => evaluation?.judge_score ?? 0));
  const kept = input.own.filter(({ evaluation }) => (evaluation?.judge_score ?? best) > best - hopeless);
  if (kept.length === 0) return propose(input);
  const refined = kept.map((reviewed) => answerFeedback(reviewed, input));
  const favourite = input.others.toSorted((a, b) => b.judge_score - a.judge_score)[0];
  const preferred = favourite && favourite.judge_score > best ? takeOver(favourite, refined, input) : refined;
  const ordered = preferred.toSorted((a, b) => b.confidence - a.confidence).slice(0, most);
  return { hypotheses: ordered, fewer_reason: null };
}

function answerFeedback({ hypothesis, evaluation }: Reviewed, input: ReasonerInput): Stated {
  const stated = restate(hypothesis);
  if (!evaluation) return stated;
  const changes: string[] = [];
  const confidence = round((hypothesis.confidence + evaluation.judge_score / 100) / 2);
  if (Math.abs(confidence - hypothesis.confidence) >= 0.02)
    changes.push(`confidence ${hypothesis.confidence} → ${confidence}`);
  const added =
    evaluation.evidence_quality < weak * rubric.evidence_quality ? moreEvidence(hypothesis, input, mostEvidence) : [];
  if (added.length > 0) changes.push(`evidence added: ${added.map(({ ref }) => ref).join(", ")}`);
  const ally = input.others.find((rival) => isSameCause(rival.hypothesis, hypothesis))?.hypothesis;
  const open = evaluation.completeness < weak * rubric.completeness;
  const resolution =
    open && ally ? union(hypothesis.suggested_resolution, ally.suggested_resolution) : hypothesis.suggested_resolution;
  const path =
    open && ally && ally.causal_path.length > hypothesis.causal_path.length ? ally.causal_path : hypothesis.causal_path;
  if (resolution.length > hypothesis.suggested_resolution.length) changes.push("resolution completed");
  if (path !== hypothesis.causal_path) changes.push("causal path completed");
  return {
    ...stated,
    confidence,
    evidence: [...hypothesis.evidence, ...added],
    suggested_resolution: resolution.slice(0, 6),
    causal_path: path,
    reasoning: added.length > 0 ? `${hypothesis.reasoning} Also: ${quotes(added)}.` : hypothesis.reasoning,
    changes_made:
      changes.length > 0
        ? changes.join("; ")
        : "nothing to change: the judge named no weakness that more of the material answers",
  };
}

/** Merges the judge's favourite into the own hypothesis of the same cause, or adds it as an own one. */
function takeOver(favourite: Rival, refined: Stated[], input: ReasonerInput): Stated[] {
  const { hypothesis, judge_score } = favourite;
  const twin = refined.find((own) => isSameCause(own, hypothesis));
  const citable = hypothesis.evidence.filter((item) => evidenceProblem(item, input) === null);
  const confidence = round((hypothesis.confidence + judge_score / 100) / 2);
  const adopted: Stated = {
    ...restate(hypothesis),
    id: freeId(refined, input),
    confidence,
    evidence: unionOfEvidence(citable, twin?.evidence ?? []).slice(0, mostEvidence),
    suggested_resolution: union(hypothesis.suggested_resolution, twin?.suggested_resolution ?? []).slice(0, 6),
    affected_components: union(hypothesis.affected_components, twin?.affected_components ?? []).slice(0, 6),
    changes_made: twin
      ? `merged ${twin.id} with ${hypothesis.id}, which the judge preferred`
      : `taken over from ${hypothesis.id}, which the judge preferred`,
    from: twin ? [twin.id, hypothesis.id] : [hypothesis.id],
  };
  return [adopted, ...refined.filter((own) => own !== twin)];
}

function restate({ struck: _struck, from: _from, changes_made: _changes, ...hypothesis }: Hypothesis): Stated {
  return { ...hypothesis, changes_made: null, from: null };
}

function freeId(refined: Stated[], { reasoner, own }: ReasonerInput): string {
  const used = new Set([...refined.map(({ id }) => id), ...own.map(({ hypothesis }) => hypothesis.id)]);
  let number = used.size + 1;
  while (used.has(`${idPrefixes[reasoner]}_${number}`)) number += 1;
  return `${idPrefixes[reasoner]}_${number}`;
}

function union(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])];
}

function unionOfEvidence(a: Evidence[], b: Evidence[]): Evidence[] {
  const seen = new Set(a.map(({ kind, ref }) => `${kind} ${ref}`));
  return [...a, ...b.filter(({ kind, ref }) => !seen.has(`${kind} ${ref}`))];
}

function quotes(evidence: Evidence[]): string {
  return evidence
    .slice(0, 2)
    .map(({ ref, quote }) => `"${quote.slice(0, 100)}" (${ref})`)
    .join(", ");
}
