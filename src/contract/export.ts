import * as z from "zod";
import { DebateResultSchema } from "./result.ts";
import { RunSchema } from "./run.ts";
import { TurnSchema } from "./turn.ts";

/** A stretch of a prompt; `parent` is the number of the piece before it. Prompts that begin alike share pieces. */
export const ExportedPieceSchema = z.strictObject({ parent: z.int().nonnegative().nullable(), text: z.string() });

/** A turn as it is exported: with its name, and the number of the last piece of what was sent. */
export const ExportedTurnSchema = TurnSchema.extend({ id: z.string(), prompt: z.int().nonnegative() });

/** A run as one JSON value (`parley export --format json`); a change of this shape raises `version`. */
export const ExportSchema = z.strictObject({
  version: z.literal(2),
  run: RunSchema,
  pieces: z.array(ExportedPieceSchema),
  turns: z.array(ExportedTurnSchema),
  result: DebateResultSchema.nullable(),
});
