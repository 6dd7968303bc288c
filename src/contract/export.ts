import * as z from "zod";
import { DebateResultSchema } from "./result.ts";
import { RunSchema } from "./run.ts";
import { TurnSchema } from "./turn.ts";

/** A turn as it is exported: with its name, and with what was sent. */
export const ExportedTurnSchema = TurnSchema.extend({ id: z.string(), prompt: z.array(z.string()) });

/** A run as one JSON value (`parley export --format json`); a change of this shape raises `version`. */
export const ExportSchema = z.strictObject({
  version: z.literal(1),
  run: RunSchema,
  turns: z.array(ExportedTurnSchema),
  result: DebateResultSchema.nullable(),
});

/** One line of `parley export --format jsonl`. */
export const ExportEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("run"), version: z.literal(1), run: RunSchema }),
  ExportedTurnSchema.extend({ type: z.literal("turn") }),
  z.strictObject({ type: z.literal("note"), note: DebateResultSchema.shape.notes.element }),
  z.strictObject({ type: z.literal("ended"), result: DebateResultSchema.omit({ notes: true }) }),
]);
