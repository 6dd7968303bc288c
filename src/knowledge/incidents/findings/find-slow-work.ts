import type { ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import { findMedianGap, listTraces, type Step } from "../clues/list-traces.ts";

const slowTimes = 20;
const slowMs = 50;

/** Services whose own steps sometimes take far longer than the same step usually does: they wait for CPU or a lock. */
export function findSlowWork(log: ParsedLog): Finding[] {
  const inside = listTraces(log)
    .flat()
    .filter(({ from, to }) => from.component === to.component);
  const bySame = Map.groupBy(inside, ({ from, to }) => `${from.template_id} ${to.template_id}`);
  const slow = [...bySame.values()].filter((steps) => steps.length >= 3).flatMap(pickSlow);
  const byPlace = Map.groupBy(slow, ({ from }) => from.component ?? "");
  return [...byPlace]
    .filter(([, steps]) => steps.length >= 2)
    .map(([place, steps]) => buildFinding(place, steps, slow.length));
}

function pickSlow(steps: Step[]): Step[] {
  const limit = Math.max(slowMs, slowTimes * findMedianGap(steps));
  return steps.filter(({ gapMs }) => gapMs >= limit);
}

function buildFinding(place: string, steps: Step[], all: number): Finding {
  return {
    sign: "slow_work",
    category: "resource",
    role: "cause",
    strength: 0.6 * (steps.length / all) * (1 - Math.exp(-steps.length / 2)),
    place,
    says: `takes ${Math.round(findMedianGap(steps))} ms for steps that usually take no time (${steps.length} times)`,
    lines: steps.slice(0, 3).flatMap(({ from, to }) => [citeEvent(from), citeEvent(to)]),
    templates: [],
    count: steps.length,
    firstMs: Math.min(...steps.map(({ from }) => from.timestamp ?? 0)),
    resolution: [`Check CPU use and limits of ${place} and of its neighbours`, `Scale ${place} out or raise its limit`],
  };
}
