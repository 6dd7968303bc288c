import { keyEntity, type ParsedLog } from "../../logs/index.ts";
import type { Call, Incident } from "../schemas/incident.ts";

/** Who calls whom, as a topology file or traces say. */
export type CallGraph = {
  isKnown: boolean;
  /** Whom a place calls directly. */
  calleesOf(place: string): string[];
  /** Whether one place calls the other, directly or by way of others, and is not called by it in turn. */
  reaches(caller: string, callee: string): boolean;
};

type WithCalls = Pick<ParsedLog, "topology" | "hops">;

/** The calls of a log, each once; what a topology file says counts like what traces show. */
export function listCalls({ topology = [], hops = [] }: WithCalls): Call[] {
  const calls = new Map<string, Call>();
  for (const { caller, callee } of [...topology, ...hops]) {
    const call = { caller, callee };
    if (keyEntity(caller) !== keyEntity(callee)) calls.set(keyCall(call), call);
  }
  return [...calls.values()];
}

/** A log with the calls that past incidents know between components that it has, too: who calls whom is told once. */
export function recallCalls(log: ParsedLog, past: readonly Incident[]): ParsedLog {
  const present = new Set(log.entities.map(({ name }) => keyEntity(name)));
  const known = new Set(listCalls(log).map(keyCall));
  const topology = past.flatMap(({ calls = [] }) => calls);
  const added = listCalls({ topology }).filter(
    (call) => present.has(keyEntity(call.caller)) && !known.has(keyCall(call)),
  );
  return added.length === 0 ? log : { ...log, topology: [...(log.topology ?? []), ...added] };
}

function keyCall({ caller, callee }: Call): string {
  return `${keyEntity(caller)}\n${keyEntity(callee)}`;
}

/** Builds the graph of calls. */
export function createCallGraph(log: WithCalls): CallGraph {
  const callees = new Map<string, Map<string, string>>();
  for (const { caller, callee } of listCalls(log)) {
    const [from, to] = [keyEntity(caller), keyEntity(callee)];
    const known = callees.get(from) ?? new Map<string, string>();
    callees.set(from, known.set(to, callee));
  }
  const walk = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of callees.get(at)?.keys() ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    return seen;
  };
  const reached = new Map<string, Set<string>>();
  const reach = (key: string) => reached.get(key) ?? reached.set(key, walk(key)).get(key) ?? new Set<string>();
  return {
    isKnown: callees.size > 0,
    calleesOf: (place) => [...(callees.get(keyEntity(place))?.values() ?? [])],
    reaches: (caller, callee) => {
      const [from, to] = [keyEntity(caller), keyEntity(callee)];
      return from !== to && reach(from).has(to) && !reach(to).has(from);
    },
  };
}

/** Trouble as far as calls matter: where it is, what it says of a cause, how strongly, and since when. */
export type PlacedTrouble = {
  places: readonly string[];
  role: string;
  strength: number;
  firstMs: number | null;
  /** Whether it is that something fell silent, slow or unanswered. */
  isSilence: boolean;
};

const reported = 0.5;
const explaining = 1.6;
const mostExplained = 0.85;
/** Weaker trouble of a callee does not account for its caller's. */
const least = 0.15;
const slackMs = 60_000;

/**
 * How strongly trouble speaks once it is known who calls whom: a symptom of a caller whose callee is in trouble reports
 * that trouble, and a silence that callers complain of is one.
 */
export function weighByCalls(troubles: readonly PlacedTrouble[], graph: CallGraph): number[] {
  const reaches = (a: PlacedTrouble, b: PlacedTrouble) =>
    a.places.some((from) => b.places.some((to) => graph.reaches(from, to)));
  return troubles.map((trouble) => {
    if (!graph.isKnown || trouble.role !== "symptom") return trouble.strength;
    const others = troubles.filter((other) => other !== trouble && other.strength >= least);
    const isReport = others.some((other) => reaches(trouble, other) && !isLater(other, trouble));
    if (isReport) return trouble.strength * reported;
    const isComplainedOf = trouble.isSilence && others.some((other) => reaches(other, trouble));
    return isComplainedOf ? Math.min(mostExplained, trouble.strength * explaining) : trouble.strength;
  });
}

function isLater(a: PlacedTrouble, b: PlacedTrouble): boolean {
  return a.firstMs !== null && b.firstMs !== null && a.firstMs > b.firstMs + slackMs;
}
