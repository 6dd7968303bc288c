import * as z from "zod";
import { SpendSchema, UsageSchema } from "./budget.ts";

/** How a debate ended: decided, undecided, handed to a person, out of budget, or failed. */
export const OutcomeSchema = z.enum(["decided", "undecided", "escalated", "budget_exhausted", "failed"]);
export type Outcome = z.infer<typeof OutcomeSchema>;

/** Counts of turns by result: a missing answer is never an approval. */
export const QuorumSchema = z.strictObject({
  asked: z.int(),
  answered: z.int(),
  repaired: z.int(),
  mended: z.int(),
  abstained: z.int(),
});
export type Quorum = z.infer<typeof QuorumSchema>;

/** A rule's result. */
export const NoteSchema = z.object({ type: z.string(), round: z.int(), data: z.unknown() });
export type Note = z.infer<typeof NoteSchema>;

/** The end of a debate. `decision` is the best supported one so far; null only if there never was one. */
export const DebateResultSchema = z.strictObject({
  version: z.literal(1),
  outcome: OutcomeSchema,
  reasons: z.array(z.string()),
  decision: z.unknown(),
  quorum: QuorumSchema,
  usage: UsageSchema,
  spend: SpendSchema,
  promptTokens: z.strictObject({ total: z.int(), prefix: z.int() }),
  notes: z.array(NoteSchema),
});
/** The end of a debate, with its pack's decision: the best supported one so far, null only if there never was one. */
export type DebateResult<D = unknown> = Omit<z.infer<typeof DebateResultSchema>, "decision"> & { decision: D | null };
