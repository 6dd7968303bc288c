import * as z from "zod";
import { DebateResultSchema, NoteSchema, OutcomeSchema } from "../result.ts";
import { RunStatusSchema } from "../run.ts";
import { TurnKeySchema } from "../turn.ts";
import { TurnItemSchema } from "./run.ts";

/** What is durable: each comes with the number of its journal entry, as `seq` and as the event's id. */
export const DurableEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begun"), seq: z.int() }),
  z.strictObject({ type: z.literal("prepared"), seq: z.int(), hash: z.string() }),
  /** A paid call is about to be made. */
  z.strictObject({ type: z.literal("call"), seq: z.int(), key: TurnKeySchema, attempt: z.int() }),
  /** A reply that has to be repaired. */
  z.strictObject({ type: z.literal("attempt"), seq: z.int(), key: TurnKeySchema, attempt: z.int() }),
  z.strictObject({ type: z.literal("turn"), seq: z.int(), turn: TurnItemSchema }),
  z.strictObject({
    type: z.literal("review"),
    seq: z.int(),
    verdict: z.enum(["upheld", "replaced"]),
    ruling: z.string(),
    reviewer: z.string(),
    at: z.string(),
  }),
  /** What the entry said was erased, at somebody's request. */
  z.strictObject({ type: z.literal("erased"), seq: z.int(), at: z.string() }),
  /** The end; null when the verdict is kept back until a reviewer has answered. */
  z.strictObject({ type: z.literal("ended"), seq: z.int(), result: DebateResultSchema.nullable() }),
]);
export type DurableEvent = z.infer<typeof DurableEventSchema>;

/** What passes: it has no id and does not come again. */
export const PassingEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("round_started"), round: z.int() }),
  z.strictObject({ type: z.literal("turn_started"), key: TurnKeySchema, player: z.string() }),
  z.strictObject({ type: z.literal("text"), key: TurnKeySchema, text: z.string() }),
  z.strictObject({ type: z.literal("note"), note: NoteSchema }),
  /** How the run stands, first thing after connecting and whenever it changes; the stream ends after a run has. */
  z.strictObject({
    type: z.literal("status"),
    status: RunStatusSchema,
    outcome: OutcomeSchema.nullable(),
    live: z.boolean(),
    message: z.string().nullable(),
  }),
  /** This follower was too slow and is let go; it can come back with its last id. */
  z.strictObject({ type: z.literal("dropped"), message: z.string() }),
  /** The server is going down; come back with the last id. */
  z.strictObject({ type: z.literal("closing"), message: z.string() }),
]);
export type PassingEvent = z.infer<typeof PassingEventSchema>;

/** One event of `GET /api/runs/:id/events`, as the data of a server-sent event of this type's name. */
export const StreamEventSchema = z.union([DurableEventSchema, PassingEventSchema]);
export type StreamEvent = DurableEvent | PassingEvent;
export const streamEventTypes = [
  "begun",
  "prepared",
  "call",
  "attempt",
  "turn",
  "review",
  "erased",
  "ended",
  "round_started",
  "turn_started",
  "text",
  "note",
  "status",
  "dropped",
  "closing",
] as const satisfies StreamEvent["type"][];
