import { combineStrengths } from "../../../knowledge/incidents/index.ts";
import { type JudgeReply, type LabelScore, rubric, type Subscores } from "../schemas/judgement.ts";
import type { JudgeInput } from "../roles/role-inputs.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";
import { remarkOn } from "./remarks.ts";
import { mostBySymptoms, mostUnexplained } from "./unexplained.ts";
import { isSameCause } from "./judging/same-cause.ts";
import { keepLedger } from "./judging/ledger.ts";
import type { Trouble } from "./judging/trouble.ts";
import { type Support, weighHypothesis } from "./judging/weigh-hypothesis.ts";

/** The expert judge: points for what it could verify of each hypothesis, never for how it sounds (root-cause spec §4.6). */
export function judgeByFacts({ incident: { log, knowledge }, hypotheses }: JudgeInput): JudgeReply {
  const ledger = keepLedger(log);
  const past = knowledge?.similar_incidents ?? [];
  const judged = hypotheses.map((hypothesis) => ({
    hypothesis,
    support: weighHypothesis(hypothesis, ledger, { log, past }),
  }));
  const scores = judged.map(({ hypothesis, support }): LabelScore => {
    const isRival = (other: (typeof judged)[number]) =>
      !isSameCause(other.hypothesis, hypothesis) && !isApart(other.support, support);
    const others = judged.filter(isRival).map((other) => other.support);
    const best = Math.max(0, ...others.map((other) => other.support));
    const subscores = scoreHypothesis(hypothesis, support, best);
    return { label: hypothesis.label, ...subscores, ...remarkOn(hypothesis, support, subscores) };
  });
  return { scores, same_cause: groupByCause(hypotheses) };
}

/** Hypotheses about unrelated incidents do not stand against each other. */
function isApart(a: Support, b: Support): boolean {
  return a.strand !== null && b.strand !== null && a.strand !== b.strand;
}

function scoreHypothesis(hypothesis: AnonymousHypothesis, support: Support, best: number): Subscores {
  const shares = {
    evidence_quality: rateEvidence(hypothesis, support),
    reasoning_strength: 0.65 * support.support + 0.2 * (support.upstream ? 0.4 : 1) + 0.15 * rateChain(hypothesis),
    confidence_calibration: 1 - Math.min(1, 1.2 * Math.abs(hypothesis.confidence - rateSureness(hypothesis, support))),
    completeness: 0.6 * support.coverage + 0.2 * rateNaming(hypothesis) + 0.2 * rateResolution(hypothesis),
    consistency: (1 - Math.max(0, best - support.support)) * (hypothesis.struck?.length ? 0.7 : 1),
  };
  const points = Object.entries(rubric).map(([criterion, most]) => {
    const share = Math.min(1, Math.max(0, shares[criterion as keyof typeof shares]));
    return [criterion, Math.round(share * most * 10) / 10];
  });
  return Object.fromEntries(points) as Subscores;
}

/** How sure one may be: as far as the facts carry, less far where they are symptoms, and least when the hypothesis itself says "unknown". */
function rateSureness({ hypothesis, category }: AnonymousHypothesis, { support, own, match }: Support): number {
  if (/^unknown\b/i.test(hypothesis)) return Math.min(support, mostUnexplained);
  const isNamed = category === "none" || match?.settles === true || own.some(({ role }) => role === "cause");
  return isNamed ? support : Math.min(support, mostBySymptoms);
}

/** A past incident that settles nothing is worth this much of one that does. */
const unsettled = 0.5;

/** What the quotes show, how many there are, and whether history bears them out. */
function rateEvidence({ category, evidence }: AnonymousHypothesis, { own, support, match }: Support): number {
  const carried = Math.min(1, support / 0.4);
  const shown = category === "none" ? support : rateShown(own) * carried;
  const telling = match?.settles ? Math.max(shown, match.strength) : shown;
  const lines = evidence.filter(({ kind }) => kind === "log").length;
  const settled = match?.settles === true;
  const breadth = settled ? 1 : category === "none" ? support : Math.min(1, own.length / 2);
  const history = settled ? 1 : category === "none" ? 0 : carried * (match?.strength ?? 0) * unsettled;
  return 0.6 * telling + 0.15 * Math.min(1, lines / 4) + 0.15 * breadth + 0.1 * history;
}

/** Causes are independent arguments; symptoms have a cause in common, so the strongest speaks for all of them. */
function rateShown(own: readonly Trouble[]): number {
  const causes = own.filter(({ role }) => role === "cause").map(rateTrouble);
  const symptoms = own.filter(({ role }) => role !== "cause").map(rateTrouble);
  return combineStrengths([...causes, Math.max(0, ...symptoms)]);
}

/** Trouble that can be quoted is worth more than what only counts show. */
function rateTrouble({ strength, lines }: Trouble): number {
  return lines.length > 0 ? strength : 0.85 * strength;
}

function rateChain({ category, causal_path }: AnonymousHypothesis): number {
  return category === "none" || causal_path.length >= 2 ? 1 : causal_path.length === 1 ? 0.5 : 0;
}

function rateNaming({ category, affected_components }: AnonymousHypothesis): number {
  return category === "none" || affected_components.length > 0 ? 1 : 0;
}

function rateResolution({ category, suggested_resolution }: AnonymousHypothesis): number {
  return category === "none" ? 1 : Math.min(1, suggested_resolution.length / 2);
}

function groupByCause(hypotheses: AnonymousHypothesis[]): string[][] {
  const groups: AnonymousHypothesis[][] = [];
  for (const hypothesis of hypotheses) {
    const group = groups.find(([first]) => first && isSameCause(first, hypothesis));
    if (group) group.push(hypothesis);
    else groups.push([hypothesis]);
  }
  return groups.filter((group) => group.length > 1).map((group) => group.map(({ label }) => label));
}
