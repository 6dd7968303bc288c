import type { ParsedLog } from "../../logs/index.ts";
import { citeEvent, type Finding } from "../clues/finding.ts";
import { findMedianGap, type Hop, listHops, listTraces } from "../clues/list-traces.ts";

/** A hop is slow when it takes this long at least, and half as long as the slowest. */
const slowMs = 50;
/** A delay of this many median hops is as clear as can be. */
const clearTimes = 200;
/** With a delay at one end of a call, the called side is the likelier one: the caller has other calls that are fast. */
const callerShare = 0.8;

/** Services whose calls take far longer than any other call: the time passes between services, not inside one. */
export function findSlowHops(log: ParsedLog): Finding[] {
  const hops = listTraces(log).flatMap(listHops);
  if (hops.length < 5) return [];
  const limit = Math.max(slowMs, hops.reduce((most, { gapMs }) => Math.max(most, gapMs), 0) / 2);
  const slow = hops.filter(({ gapMs }) => gapMs >= limit);
  if (slow.length < 2) return [];
  const places = [...new Set(slow.flatMap(({ caller, callee }) => [caller, callee]))];
  const clarity = Math.min(1, findMedianGap(slow) / (clearTimes * Math.max(0.5, findMedianGap(hops))));
  return places.map((place) => buildFinding(place, slow, hops, clarity)).filter(({ strength }) => strength > 0.1);
}

/** The delay sits where slow hops meet and the other hops are slow as well. */
function buildFinding(place: string, slow: Hop[], hops: Hop[], clarity: number): Finding {
  const own = hops.filter((hop) => touches(hop, place));
  const ownSlow = slow.filter((hop) => touches(hop, place));
  const blame =
    ownSlow.reduce((sum, hop) => sum + hop.gapMs * (hop.callee === place ? 1 : callerShare), 0) / addGaps(slow);
  const enough = 1 - Math.exp(-ownSlow.length / 1.5);
  return {
    sign: "slow_hop",
    category: "network",
    role: "cause",
    strength: 0.95 * blame * (ownSlow.length / own.length) ** 0.15 * enough * clarity,
    place,
    says: `is at one end of ${ownSlow.length} of ${slow.length} slow calls (about ${Math.round(findMedianGap(ownSlow))} ms on the way, where a call usually takes ${Math.max(1, Math.round(findMedianGap(hops)))} ms)`,
    lines: ownSlow.slice(0, 3).flatMap(({ from, to }) => [citeEvent(from), citeEvent(to)]),
    templates: [],
    count: ownSlow.length,
    firstMs: Math.min(...ownSlow.map(({ from }) => from.timestamp ?? 0)),
    resolution: [
      `Check the network of ${place}: its node, interface, policies and traffic shaping; move it to another node`,
      `Set timeouts at the callers of ${place}`,
    ],
  };
}

function touches({ caller, callee }: Hop, place: string): boolean {
  return caller === place || callee === place;
}

function addGaps(hops: Hop[]): number {
  return hops.reduce((sum, { gapMs }) => sum + gapMs, 0);
}
