import { analyse, type Analysis, combineStrengths, type Finding } from "../../../knowledge/incidents/index.ts";
import { type JudgeReply, type LabelScore, rubric, type Subscores } from "../schemas/judgement.ts";
import type { JudgeInput } from "../roles/role-inputs.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";
import { remarkOn } from "./remarks.ts";
import { isSameCause } from "./same-cause.ts";
import { type Support, weighSupport } from "./support.ts";

/** The expert judge: points from facts that can be checked in the log, never from how a hypothesis sounds (root-cause spec §4.6). */
export function judgeByFacts({ incident: { log }, hypotheses }: JudgeInput): JudgeReply {
  const analysis = analyse(log);
  const judged = hypotheses.map((hypothesis) => ({ hypothesis, support: weighSupport(hypothesis, analysis) }));
  const scores = judged.map(({ hypothesis, support }): LabelScore => {
    const subscores = scoreHypothesis(hypothesis, support, analysis);
    return { label: hypothesis.label, ...subscores, ...remarkOn(hypothesis, support, subscores) };
  });
  return { scores, same_cause: groupByCause(hypotheses) };
}

function scoreHypothesis(hypothesis: AnonymousHypothesis, support: Support, analysis: Analysis): Subscores {
  const shares = {
    evidence_quality: rateEvidence(hypothesis, support),
    reasoning_strength: 0.65 * support.support + 0.2 * rateOrder(support, analysis) + 0.15 * rateChain(hypothesis),
    confidence_calibration: 1 - Math.min(1, 1.2 * Math.abs(hypothesis.confidence - support.support)),
    completeness:
      0.6 * support.coverage +
      0.2 * rateNaming(hypothesis) +
      0.2 * Math.min(1, hypothesis.suggested_resolution.length / 2),
    consistency: (1 - rateContradiction(support, analysis)) * (hypothesis.struck?.length ? 0.7 : 1),
  };
  const points = Object.entries(rubric).map(([criterion, most]) => {
    const share = Math.min(1, Math.max(0, shares[criterion as keyof typeof shares]));
    return [criterion, Math.round(share * most * 10) / 10];
  });
  return Object.fromEntries(points) as Subscores;
}

/** What the cited lines show, how many there are, and how much of what could be cited was cited. */
function rateEvidence({ category, evidence }: AnonymousHypothesis, { cited, suspect, support }: Support): number {
  const carried = Math.min(1, support / 0.4);
  const own = suspect ? cited.filter((finding) => suspect.findings.includes(finding)) : [];
  const telling = category === "none" ? support : combineStrengths(own.map(rateFinding)) * carried;
  const breadth = suspect ? own.length / Math.min(4, suspect.findings.length) : category === "none" ? support : 0;
  const lines = evidence.filter(({ kind }) => kind === "log").length;
  const history = evidence.some(({ kind }) => kind === "kg") ? carried : 0;
  return 0.6 * telling + 0.15 * Math.min(1, lines / 4) + 0.15 * Math.min(1, breadth) + 0.1 * history;
}

/** A finding that can be quoted is worth more than one that only counts show. */
function rateFinding({ strength, lines }: Finding): number {
  return lines.length > 0 ? strength : 0.85 * strength;
}

/** Whether the cause comes before the other named causes. */
function rateOrder({ suspect }: Support, { suspects, noFault }: Analysis): number {
  if (!suspect) return noFault.endedWell ? 0.8 : 0.4;
  const earlier = suspects.some(
    (other) => other !== suspect && other.score >= 0.4 && isBefore(other.firstMs, suspect.firstMs),
  );
  return earlier ? 0.4 : 1;
}

function isBefore(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a < b;
}

function rateChain({ category, causal_path }: AnonymousHypothesis): number {
  return category === "none" || causal_path.length >= 2 ? 1 : causal_path.length === 1 ? 0.5 : 0;
}

function rateNaming({ category, affected_components }: AnonymousHypothesis): number {
  return category === "none" || affected_components.length > 0 ? 1 : 0;
}

/** How much better the best other explanation stands. */
function rateContradiction({ support, suspect }: Support, { suspects, noFault }: Analysis): number {
  const others = suspects
    .filter((other) => other !== suspect && other.category !== suspect?.category)
    .map(({ score }) => score);
  return Math.max(0, Math.max(0, ...others, suspect ? noFault.score : 0) - support);
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
