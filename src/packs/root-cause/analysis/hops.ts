import type { ParsedLog } from "../logs/parsed-log.ts";
import type { CitedLine, Finding } from "./finding.ts";
import { type Hop, hopsOf, type Step, tracesOf } from "./traces.ts";

/** A hop is slow when it takes this long at least, and half as long as the slowest. */
const slowMs = 50;
/** A delay of this many median hops is as clear as can be. */
const clearTimes = 200;
/** With a delay at one end of a call, the called side is the likelier one: the caller has other calls that are fast. */
const callerShare = 0.8;

/** Services whose calls take far longer than any other call: the time passes between services, not inside one. */
export function hopFindings(log: ParsedLog): Finding[] {
  const hops = tracesOf(log).flatMap(hopsOf);
  if (hops.length < 5) return [];
  const gaps = hops.map(({ gapMs }) => gapMs);
  const limit = Math.max(slowMs, gaps.reduce((most, gap) => Math.max(most, gap), 0) / 2);
  const slow = hops.filter(({ gapMs }) => gapMs >= limit);
  if (slow.length < 2) return [];
  const places = [...new Set(slow.flatMap(({ caller, callee }) => [caller, callee]))];
  const clarity = Math.min(1, median(slow.map(({ gapMs }) => gapMs)) / (clearTimes * Math.max(0.5, median(gaps))));
  return places.map((place) => findingOf(place, slow, hops, clarity)).filter(({ strength }) => strength > 0.1);
}

/** A common end of the slow hops whose other hops are slow as well is where the delay sits. */
function findingOf(place: string, slow: Hop[], hops: Hop[], clarity: number): Finding {
  const own = hops.filter((hop) => touches(hop, place));
  const ownSlow = slow.filter((hop) => touches(hop, place));
  const blame =
    ownSlow.reduce((sum, hop) => sum + hop.gapMs * (hop.callee === place ? 1 : callerShare), 0) / totalMs(slow);
  const enough = 1 - Math.exp(-ownSlow.length / 1.5);
  return {
    sign: "slow_hop",
    category: "network",
    role: "cause",
    strength: 0.95 * blame * (ownSlow.length / own.length) ** 0.15 * enough * clarity,
    place,
    says: `is at one end of ${ownSlow.length} of ${slow.length} slow calls (about ${Math.round(median(ownSlow.map(({ gapMs }) => gapMs)))} ms on the way, where a call usually takes ${Math.max(1, Math.round(median(hops.map(({ gapMs }) => gapMs))))} ms)`,
    lines: ownSlow.slice(0, 3).flatMap(({ from, to }) => [citedOf(from), citedOf(to)]),
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

function totalMs(hops: Hop[]): number {
  return hops.reduce((sum, { gapMs }) => sum + gapMs, 0);
}

export function citedOf({ line, file, raw, timestamp }: Step["from"]): CitedLine {
  return { line, file, quote: (raw.split("\n")[0] ?? raw).trim(), timestamp };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
