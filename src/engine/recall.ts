import type { WorstCase } from "../contract/budget.ts";
import type { AttemptBody, JournalEntry } from "../contract/journal.ts";
import { turnId } from "../contract/turn.ts";

/** What a journal remembers: the attempts of each turn, what they cost, what was lost in flight, the time used. */
export type Past = { attempts: Map<string, AttemptBody[]>; spent: WorstCase; lost: WorstCase; elapsedMs: number };

/** Reads the past of a run from its entries. */
export function recall(entries: readonly JournalEntry[]): Past {
  const attempts = new Map<string, AttemptBody[]>();
  const inFlight = new Map<string, WorstCase[]>();
  const spent: WorstCase[] = [];
  let elapsedMs = 0;
  for (const { body } of entries) {
    if (body.kind === "call") push(inFlight, callId(body.turn, body.attempt), body.worst);
    if (body.kind === "end") elapsedMs = Math.max(elapsedMs, body.elapsedMs);
    if (body.kind !== "attempt") continue;
    push(attempts, turnId(body.turn), body);
    spent.push(body.spent);
    inFlight.delete(callId(body.turn, body.number));
    elapsedMs = Math.max(elapsedMs, body.attempt.startedMs + body.attempt.durationMs);
  }
  return { attempts, spent: sum(spent), lost: sum([...inFlight.values()].flat()), elapsedMs };
}

function callId(turn: Parameters<typeof turnId>[0], attempt: number): string {
  return `${turnId(turn)}#${attempt}`;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

function sum(parts: WorstCase[]): WorstCase {
  return {
    calls: parts.reduce((total, part) => total + part.calls, 0),
    tokens: parts.reduce((total, part) => total + part.tokens, 0),
    usd: parts.some((part) => part.usd === null) ? null : parts.reduce((total, part) => total + (part.usd ?? 0), 0),
  };
}
