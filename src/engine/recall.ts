import type { WorstCase } from "../contract/budget.ts";
import type { AttemptBody, JournalEntry } from "../contract/journal.ts";
import { type Turn, type TurnKey, turnIdOf } from "../contract/turn.ts";
import { assembleTurn } from "./assemble-turn.ts";
import { sumWorstCases } from "./sum-worst-cases.ts";

/** What a journal remembers: the attempts of each turn, what they cost, what was lost in flight, the time used. */
export type Past = {
  /** The prepared material, when it was journaled. */
  material: { hash: string; value: unknown } | null;
  attempts: Map<string, AttemptBody[]>;
  spent: WorstCase;
  lost: WorstCase;
  elapsedMs: number;
};

type Said = Pick<JournalEntry, "body">;

/** Reads the past of a run from its entries. */
export function recall(entries: readonly Said[]): Past {
  const attempts = new Map<string, AttemptBody[]>();
  const inFlight = new Map<string, WorstCase[]>();
  const spent: WorstCase[] = [];
  let material: Past["material"] = null;
  let elapsedMs = 0;
  for (const { body } of entries) {
    if (body.kind === "material") material = { hash: body.hash, value: body.value };
    if (body.kind === "call") push(inFlight, callIdOf(body.turn, body.attempt), body.worst);
    if (body.kind === "end") elapsedMs = Math.max(elapsedMs, body.elapsedMs);
    if (body.kind !== "attempt") continue;
    push(attempts, turnIdOf(body.turn), body);
    spent.push(body.spent);
    inFlight.delete(callIdOf(body.turn, body.number));
    elapsedMs = Math.max(elapsedMs, body.attempt.startedMs + body.attempt.durationMs);
  }
  const lost = [...inFlight.values()].flat();
  return { material, attempts, spent: sumWorstCases(spent), lost: sumWorstCases(lost), elapsedMs };
}

/** The turns of a journal that were concluded, in the order they were asked. */
export function recallTurns(entries: readonly Said[]): Turn[] {
  const attempts = [...recall(entries).attempts.values()];
  return attempts
    .toSorted(([a], [b]) => (a?.place ?? 0) - (b?.place ?? 0))
    .map(assembleTurn)
    .filter((turn) => turn !== null);
}

function callIdOf(turn: TurnKey, attempt: number): string {
  return `${turnIdOf(turn)}#${attempt}`;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
