import { hasCode, ParleyError } from "../../contract/error.ts";
import type { JournalEntry } from "../../contract/journal.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import { shortenText } from "../../text/short-text.ts";
import { type Turn, type TurnKey, turnIdOf } from "../../contract/turn.ts";
import { type Journal, recall, recallTurns } from "../../engine/journal.ts";
import type { Store } from "../../store/store.ts";
import { requireChain } from "./check-chain.ts";

/** A run as its journal tells it; `result` is null while it has not ended. */
export type StoredRun = {
  run: Run;
  entries: readonly JournalEntry[];
  /** What its agents were given; null before it was prepared, and for packs that prepare nothing. */
  material: unknown;
  turns: Turn[];
  result: DebateResult | null;
};

/** Finds a run by its id or an unambiguous beginning of it. */
export async function findRun(store: Store, idOrPrefix: string): Promise<Run> {
  const exact = await store.get(idOrPrefix);
  if (exact) return exact;
  const ids = idOrPrefix === "" ? [] : await store.ids(idOrPrefix);
  const [only] = ids;
  if (only !== undefined && ids.length > 1)
    throw new ParleyError(
      "unknown_run",
      `"${shortenText(idOrPrefix)}" begins several runs: ${ids.slice(-6).toReversed().join(", ")}`,
    );
  const run = only === undefined ? null : await store.get(only);
  if (run) return run;
  throw new ParleyError(
    "unknown_run",
    `no run "${shortenText(idOrPrefix)}" in ${store.location}; \`parley runs\` lists them`,
  );
}

/** Reads a run with its turns in the order they were asked; one that is not as it was written is refused. */
export async function readRun(store: Store, idOrPrefix: string): Promise<StoredRun> {
  const { run, entries } = await readEntries(store, idOrPrefix);
  requireChain(run, entries);
  return assembleStoredRun(run, entries);
}

/** What the entries of a run tell, once they are known to be as they were written. */
export function assembleStoredRun(run: Run, entries: readonly JournalEntry[]): StoredRun {
  const end = entries.findLast((entry) => entry.body.kind === "end")?.body;
  return {
    run,
    entries,
    material: recall(entries).material?.value ?? null,
    turns: recallTurns(entries),
    result: end?.kind === "end" ? end.result : null,
  };
}

/** A run and its entries of one moment, whole or not: another process may be adding to them. */
export async function readEntries(store: Store, idOrPrefix: string): Promise<Pick<StoredRun, "run" | "entries">> {
  const { id } = await findRun(store, idOrPrefix);
  for (let tries = 1; ; tries += 1) {
    const run = await findRun(store, id);
    const { entries } = await store.journal(id);
    if ((await store.get(id))?.headHash === run.headHash || tries === 20) return { run, entries };
  }
}

/** What names the prompt of a turn. */
type Prompted = { key: TurnKey; promptHash: string };

/** The prompt of a turn as it was sent, empty where it was not kept; one that was lost or changed is an error that says whose. */
export async function requirePrompt(journal: Journal, runId: string, { key, promptHash }: Prompted): Promise<string[]> {
  const trouble = await findPromptTrouble(journal, promptHash);
  if (typeof trouble !== "string") return trouble;
  throw new ParleyError(
    "corrupt_store",
    `run ${runId} is damaged: ${turnIdOf(key)}: ${trouble}. \`parley verify ${runId}\` checks all of it`,
  );
}

/** The prompt that ends in a piece, or what is wrong with it. */
export async function findPromptTrouble(journal: Journal, hash: string): Promise<string[] | string> {
  try {
    return (await journal.prompt(hash)) ?? "a part of its prompt is missing";
  } catch (error) {
    if (!hasCode(error, "corrupt_store")) throw error;
    return `its prompt was changed after it was sent (${error.message})`;
  }
}

/** A turn by its name, e.g. `2/critique/nla`. */
export function findTurn(turns: readonly Turn[], name: string): Turn | null {
  return turns.find((turn) => turnIdOf(turn.key) === name) ?? null;
}
