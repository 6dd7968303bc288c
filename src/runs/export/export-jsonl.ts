import { turnIdOf } from "../../contract/turn.ts";
import type { ExportPage } from "./export-page.ts";

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
