import { turnIdOf } from "../../contract/turn.ts";
import type { Store } from "../../store/store.ts";
import type { StoredRun } from "../read-run.ts";
import { type ExportPage, gatherPieces } from "./export-page.ts";

/** A run as one JSON value: what it was started with, the pieces of its prompts, every turn, and how it ended. */
export async function exportJson(store: Store, { run, turns, result }: StoredRun): Promise<Record<string, unknown>> {
  const gathered = await gatherPieces(store, run.id, turns);
  const named = gathered.turns.map((turn) => ({ id: turnIdOf(turn.key), ...turn }));
  return { version: 2, run, pieces: gathered.pieces, turns: named, result };
}

/** A run as a stream of events, one a line: the run, the pieces of its prompts, its turns, its rules' notes, its end. */
export function exportJsonl({ run, pieces, turns, result }: ExportPage): string {
  const events = [
    { type: "run", version: 2, run },
    ...pieces.map((piece, number) => ({ type: "piece", number, ...piece })),
    ...turns.map((turn) => ({ type: "turn", id: turnIdOf(turn.key), ...turn })),
    ...(result?.notes ?? []).map((note) => ({ type: "note", note })),
    ...(result ? [{ type: "ended", result: { ...result, notes: undefined } }] : []),
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
