import { turnIdOf } from "../../contract/turn.ts";
import type { Store } from "../../store/store.ts";
import type { StoredRun } from "../record/read-run.ts";
import { gatherPieces } from "./gather-pieces.ts";

/** A run as one JSON value: what it was started with, the pieces of its prompts, every turn, and how it ended. */
export async function exportJson(store: Store, { run, turns, result }: StoredRun): Promise<Record<string, unknown>> {
  const gathered = await gatherPieces(store, run.id, turns);
  const named = gathered.turns.map((turn) => ({ id: turnIdOf(turn.key), ...turn }));
  return { version: 2, run, pieces: gathered.pieces, turns: named, result };
}
