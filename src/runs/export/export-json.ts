import { turnIdOf } from "../../contract/turn.ts";
import type { Store } from "../../store/store.ts";
import { requirePrompt, type StoredRun } from "../read-run.ts";

/** A run as one JSON value: what it was started with, every turn with its prompt, and how it ended. */
export async function exportJson(store: Store, { run, turns, result }: StoredRun): Promise<Record<string, unknown>> {
  const journal = await store.journal(run.id);
  const withPrompts = await Promise.all(
    turns.map(async (turn) => ({
      id: turnIdOf(turn.key),
      ...turn,
      prompt: await requirePrompt(journal, run.id, turn.key, turn.promptHash),
    })),
  );
  return { version: 1, run, turns: withPrompts, result };
}
