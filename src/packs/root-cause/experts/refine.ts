import {
  type Evidence,
  type Hypothesis,
  idPrefixes,
  mostHypotheses,
  type SalvagedReply,
} from "../schemas/hypothesis.ts";
import { type Criterion, type Evaluation, rubric } from "../schemas/judgement.ts";
import { checkEvidence } from "../rules/check-evidence.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { listQuotes, type Reviewed, type Rival } from "../rules/round.ts";
import { roundConfidence } from "./number-hypotheses.ts";
import { tellInFull, findMoreEvidence } from "./more-evidence.ts";
import { isSameCause } from "./judging/same-cause.ts";

type Stated = SalvagedReply["hypotheses"][number];

/** Own hypotheses this many points behind the best are dropped. */
const hopeless = 30;
/** A criterion below this share of its points is a weakness to answer. */
const weak = 0.8;
/** A criterion below this share of its points can still be worked on. */
const full = 0.95;
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
  const ordered = preferred.toSorted((a, b) => b.confidence - a.confidence).slice(0, mostHypotheses);
  return { hypotheses: ordered, fewer_reason: null };
}

function answerFeedback({ hypothesis, evaluation }: Reviewed, input: ReasonerInput): Stated {
  if (!evaluation) return restate(hypothesis);
  const isThin = (criterion: Criterion) => evaluation[criterion] < full * rubric[criterion];
  const added = isThin("evidence_quality") ? findMoreEvidence(hypothesis, input, mostEvidence) : [];
  const ally = input.others.find((rival) => isSameCause(rival.hypothesis, hypothesis))?.hypothesis;
  const fuller = isThin("completeness") || isThin("reasoning_strength") ? tellInFull(hypothesis, input, ally) : {};
  const refined = {
    ...restate(hypothesis),
    ...fuller,
    confidence: recalibrate(hypothesis.confidence, evaluation),
    evidence: [...hypothesis.evidence, ...added],
  };
  return { ...refined, changes_made: listChanges(hypothesis, refined) };
}

/** What was changed, in words. */
function listChanges(before: Hypothesis, after: Stated): string {
  const added = after.evidence.slice(before.evidence.length).map(({ ref }) => ref);
  const changes = [
    ...(after.confidence === before.confidence ? [] : [`confidence ${before.confidence} → ${after.confidence}`]),
    ...(added.length > 0 ? [`evidence added: ${added.join(", ")}`] : []),
    ...(after.causal_path.length > before.causal_path.length ? ["causal path completed"] : []),
    ...(after.suggested_resolution.length > before.suggested_resolution.length ? ["resolution completed"] : []),
    ...(after.reasoning === before.reasoning ? [] : ["reasoning completed"]),
  ];
  return changes.length > 0 ? changes.join("; ") : "nothing: the material has no more to answer the judge with";
}

const tooSure = /\b(?:above|too high|too sure|over-?confident|overstate[sd]?)\b/i;
const tooTimid = /\b(?:below|too low|too timid|under-?confident|understate[sd]?)\b/i;

/** The confidence moved as the judge asked: by what the calibration points say it is off, in the direction of the words. */
function recalibrate(confidence: number, { confidence_calibration, feedback, judge_score }: Evaluation): number {
  const share = confidence_calibration / rubric.confidence_calibration;
  if (share >= weak) return confidence;
  const off = Math.min(0.5, (1 - share) / 1.2);
  if (tooSure.test(feedback)) return roundConfidence(Math.max(0.02, confidence - off));
  if (tooTimid.test(feedback)) return roundConfidence(Math.min(0.97, confidence + off));
  return roundConfidence((confidence + judge_score / 100) / 2);
}

/** Merges the judge's favourite into one's own hypothesis of the same cause, or adds it to one's own. */
function takeOver(favourite: Rival, refined: Stated[], input: ReasonerInput): Stated[] {
  const { hypothesis } = favourite;
  const twin = refined.find((own) => isSameCause(own, hypothesis));
  const reader = { reasoner: input.reasoner, quoted: listQuotes(input) };
  const citable = hypothesis.evidence.filter((item) => checkEvidence(item, input.incident, reader) === null);
  const adopted: Stated = {
    ...restate(hypothesis),
    id: findFreeId(refined, input),
    evidence: uniteEvidence(citable, twin?.evidence ?? []).slice(0, mostEvidence),
    suggested_resolution: unite(hypothesis.suggested_resolution, twin?.suggested_resolution ?? []).slice(0, 6),
    affected_components: unite(hypothesis.affected_components, twin?.affected_components ?? []).slice(0, 6),
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

function findFreeId(refined: Stated[], { reasoner, own }: ReasonerInput): string {
  const used = new Set([...refined.map(({ id }) => id), ...own.map(({ hypothesis }) => hypothesis.id)]);
  let number = used.size + 1;
  while (used.has(`${idPrefixes[reasoner]}_${number}`)) number += 1;
  return `${idPrefixes[reasoner]}_${number}`;
}

function unite(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])];
}

function uniteEvidence(a: Evidence[], b: Evidence[]): Evidence[] {
  const seen = new Set(a.map(({ kind, ref }) => `${kind} ${ref}`));
  return [...a, ...b.filter(({ kind, ref }) => !seen.has(`${kind} ${ref}`))];
}
