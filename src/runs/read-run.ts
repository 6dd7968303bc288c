import { ParleyError } from "../contract/error.ts";
import type { AttemptBody, JournalEntry } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { type Turn, turnId } from "../contract/turn.ts";
import { addUsage, noUsage } from "../contract/usage.ts";
import { recall } from "../engine/recall.ts";
import type { Store } from "../store/store.ts";

/** A run as its journal tells it; `result` is null while it has not ended. */
export type StoredRun = { run: Run; entries: readonly JournalEntry[]; turns: Turn[]; result: DebateResult | null };

/** Finds a run by its id or an unambiguous beginning of it. */
export async function findRun(store: Store, idOrPrefix: string): Promise<Run> {
  const exact = await store.get(idOrPrefix);
  if (exact) return exact;
  const matches = idOrPrefix === "" ? [] : await store.list({ idPrefix: idOrPrefix, limit: 6 });
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only)
    throw new ParleyError(
      "unknown_run",
      `"${idOrPrefix}" begins several runs: ${matches.map((run) => run.id).join(", ")}`,
    );
  throw new ParleyError("unknown_run", `no run "${idOrPrefix}" in ${store.location}; \`parley runs\` lists them`);
}

/** Reads a run with its turns in the order they were asked. */
export async function readRun(store: Store, idOrPrefix: string): Promise<StoredRun> {
  const run = await findRun(store, idOrPrefix);
  const { entries } = await store.journal(run.id);
  const end = entries.findLast((entry) => entry.body.kind === "end")?.body;
  return { run, entries, turns: turnsOf(entries), result: end?.kind === "end" ? end.result : null };
}

/** The turns of a journal that were concluded, in the order they were asked. */
export function turnsOf(entries: readonly JournalEntry[]): Turn[] {
  const attempts = [...recall(entries).attempts.values()];
  return attempts
    .toSorted(([a], [b]) => (a?.place ?? 0) - (b?.place ?? 0))
    .map(turnOf)
    .filter((turn) => turn !== null);
}

function turnOf(bodies: AttemptBody[]): Turn | null {
  const last = bodies.at(-1);
  if (!last?.conclusion) return null;
  const { turn: key, player, promptHash, requestHash, conclusion } = last;
  const attempts = bodies.map((body) => body.attempt);
  const usage = attempts.map((attempt) => attempt.usage).reduce(addUsage, noUsage);
  return { key, player, promptHash, requestHash, attempts, ...conclusion, usage };
}

/** A turn by its name, e.g. `2/critique/nla`. */
export function turnNamed(turns: readonly Turn[], name: string): Turn | null {
  return turns.find((turn) => turnId(turn.key) === name) ?? null;
}
