import type { LogHop, ParsedLog } from "../../logs/index.ts";
import { citeEvent, type CitedLine, type Finding } from "../clues/finding.ts";

/** What a change of calls says; that calls fail or stopped does not say why. */
const kinds = {
  slower: { category: "resource", role: "cause", strength: 0.7 },
  failing: { category: "software", role: "symptom", strength: 0.45 },
  stopped: { category: "software", role: "symptom", strength: 0.5 },
} as const;
type BadChange = keyof typeof kinds;
type BadHop = LogHop & { change: BadChange };

/**
 * Services whose calls became slow, fail or stopped, as traces show it: of a chain of slow calls the last callee is blamed,
 * because whoever waits for it is slow as well (root-cause spec §2.6).
 */
export function findBadCalls(log: ParsedLog): Finding[] {
  const bad = (log.hops ?? []).filter(isBad);
  const deepest = bad.filter(
    ({ caller, callee, change }) =>
      !bad.some((next) => next.change === change && next.caller === callee && next.callee !== caller),
  );
  const byCallee = Map.groupBy(deepest, ({ callee, change }) => `${change} ${callee}`);
  return [...byCallee.values()].flatMap(([first, ...others]) => (first ? [buildFinding([first, ...others], log)] : []));
}

/** Against nothing at all a failing call is what its lines say, which is found there. */
function isBad(hop: LogHop): hop is BadHop {
  return hop.change !== null && hop.change in kinds;
}

function buildFinding(hops: [BadHop, ...BadHop[]], log: ParsedLog): Finding {
  const [{ callee, change, from }] = hops;
  const { category, role, strength } = kinds[change];
  const starts = hops.flatMap((hop) => hop.from ?? []);
  return {
    sign: `calls_${change}`,
    category,
    role,
    strength,
    place: callee,
    says: describe(hops),
    lines: hops.flatMap((hop) => citeHop(hop, log)),
    templates: [],
    count: hops.reduce((sum, { count }) => sum + count, 0),
    firstMs: starts.length > 0 ? Math.min(...starts) : (from ?? null),
    resolution: [
      `Look inside ${callee}: what it waits for, its load, its storage and what changed there`,
      `Set timeouts at the callers of ${callee}`,
    ],
  };
}

function describe(hops: readonly BadHop[]): string {
  const [first] = hops;
  const callers = [...new Set(hops.map(({ caller }) => caller))].slice(0, 3).join(", ");
  if (first?.change === "slower")
    return `has become slow: calls from ${callers} take about ${first.median_ms} ms, where ${first.reference_median_ms} ms were usual`;
  if (first?.change === "stopped") return `has fallen silent: calls from ${callers} no longer reach it`;
  return `fails ${hops.reduce((sum, { error_count }) => sum + error_count, 0)} of ${hops.reduce((sum, { count }) => sum + count, 0)} calls from ${callers}`;
}

/** The event of the callee on the line that shows the call, else whatever stands on it. */
function citeHop({ line, file, callee }: LogHop, { events }: ParsedLog): CitedLine[] {
  const there = events.filter((event) => event.line === line && event.file === file);
  const own = there.filter(({ service, component }) => (service ?? component) === callee);
  const [slowest] = (own.length > 0 ? own : there).toSorted((a, b) => (b.took_ms ?? 0) - (a.took_ms ?? 0));
  return slowest ? [citeEvent(slowest)] : [];
}
