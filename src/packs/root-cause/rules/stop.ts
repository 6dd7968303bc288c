import type { Hypothesis, ReasonerName } from "../schemas/hypothesis.ts";
import { compareWording } from "./compare-wording.ts";

export type StopLimits = { max_rounds: number; plateau_points: number; consensus_dice: number };

/** The reasoners' best hypotheses of the round, and the ids the judge called the same cause. */
export type Tops = { tops: { source: ReasonerName; hypothesis: Hypothesis }[]; same_cause: string[][] };

export type StopDecision = {
  stop: boolean;
  stop_reason: "plateau" | "consensus" | "max_rounds" | null;
  convergence_achieved: boolean;
  plateau: boolean;
  consensus: boolean;
  improvement: number | null;
};

/** Decides whether the debate stops after the last round of `trajectory`, and why (root-cause spec §4.4). */
export function stopAfter(trajectory: number[], tops: Tops, limits: StopLimits): StopDecision {
  const plateau = isPlateau(trajectory, limits.plateau_points);
  const consensus = trajectory.length >= 2 && isConsensus(tops, limits.consensus_dice);
  const last = trajectory.length >= limits.max_rounds;
  const stop_reason = plateau ? "plateau" : consensus ? "consensus" : last ? "max_rounds" : null;
  return {
    stop: stop_reason !== null,
    stop_reason,
    convergence_achieved: plateau || consensus,
    plateau,
    consensus,
    improvement: measureImprovement(trajectory),
  };
}

/** From round 2: the top score improved by less than `points` over the previous round; a drop counts. */
export function isPlateau(trajectory: number[], points: number): boolean {
  const improvement = measureImprovement(trajectory);
  return improvement !== null && improvement < points;
}

/**
 * All tops (at least two) are one cause: the same category, a shared component, and similar wording or a shared line.
 * The judge's opinion alone is not enough.
 */
export function isConsensus({ tops, same_cause }: Tops, dice: number): boolean {
  if (tops.length < 2) return false;
  const isGrouped = (a: string, b: string) => same_cause.some((group) => group.includes(a) && group.includes(b));
  return tops.every(({ hypothesis: a }, index) =>
    tops.slice(index + 1).every(({ hypothesis: b }) => agree(a, b, isGrouped(a.id, b.id) ? 0 : dice)),
  );
}

export function agree(a: Hypothesis, b: Hypothesis, dice: number): boolean {
  if (a.category !== b.category || !shareComponent(a, b)) return false;
  return (dice > 0 && compareWording(a.hypothesis, b.hypothesis) >= dice) || shareEvidence(a, b);
}

function shareEvidence(a: Hypothesis, b: Hypothesis): boolean {
  const cited = new Set(a.evidence.filter(({ kind }) => kind !== "kg").map(({ ref }) => String(ref)));
  return b.evidence.some(({ kind, ref }) => kind !== "kg" && cited.has(String(ref)));
}

/** "No fault" has no component: two such hypotheses agree. */
export function shareComponent(a: Hypothesis, b: Hypothesis): boolean {
  if (a.category === "none" && b.category === "none") return true;
  const names = new Set(a.affected_components.map((name) => name.toLowerCase()));
  return b.affected_components.some((name) => names.has(name.toLowerCase()));
}

function measureImprovement(trajectory: number[]): number | null {
  const [before, now] = trajectory.slice(-2);
  return before === undefined || now === undefined ? null : Math.round((now - before) * 100) / 100;
}
