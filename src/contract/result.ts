import * as z from "zod";
import { SpendSchema, UsageSchema } from "./budget.ts";

/** How a debate ended: with a decision, without one, with one that a person must look at, out of budget, or broken. */
export const OutcomeSchema = z.enum(["decided", "undecided", "escalated", "budget_exhausted", "failed"]);
export type Outcome = z.infer<typeof OutcomeSchema>;

/** How many turns were asked and what became of them: a missing voice is never an approval. */
export const QuorumSchema = z.strictObject({
  asked: z.int(),
  answered: z.int(),
  repaired: z.int(),
  mended: z.int(),
  abstained: z.int(),
});
export type Quorum = z.infer<typeof QuorumSchema>;

/** What a rule decided and why. */
export const NoteSchema = z.object({ type: z.string(), round: z.int(), data: z.unknown() });
export type Note = z.infer<typeof NoteSchema>;

/** The end of a debate. `decision` is the best supported one so far; null only when nothing was ever supported. */
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
/** The end of a debate, with the decision of its pack: the best supported one so far, null only when none ever was. */
export type DebateResult<D = unknown> = Omit<z.infer<typeof DebateResultSchema>, "decision"> & { decision: D | null };
