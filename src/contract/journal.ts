import * as z from "zod";
import { WorstCaseSchema } from "./budget.ts";
import { DebateResultSchema, type DebateResult, type Note } from "./result.ts";
import { AttemptSchema, ProblemSchema, TurnKeySchema, TurnStatusSchema, type Turn, type TurnKey } from "./turn.ts";

/** The end of a turn, stored with its last attempt; without `reply`, that attempt's text is the reply. */
const ConclusionSchema = z.strictObject({
  status: TurnStatusSchema,
  reply: z.unknown().optional(),
  problems: z.array(ProblemSchema),
});
export type Conclusion = z.infer<typeof ConclusionSchema>;

export const EntryBodySchema = z.discriminatedUnion("kind", [
  /** The run's immutable facts by hash: pack, input, config, cast, seed, budget. */
  z.strictObject({ kind: z.literal("begin"), version: z.literal(1), manifestHash: z.string() }),
  z.strictObject({ kind: z.literal("material"), hash: z.string(), value: z.unknown() }),
  /** A paid call is about to be made; without a later attempt it may have been charged and counts as spent. */
  z.strictObject({ kind: z.literal("call"), turn: TurnKeySchema, attempt: z.int(), worst: WorstCaseSchema }),
  /** A reply; the last attempt of a turn carries its conclusion. */
  z.strictObject({
    kind: z.literal("attempt"),
    turn: TurnKeySchema,
    /** The turn's position in asking order, which may differ from the order of replies. */
    place: z.int().nonnegative(),
    number: z.int(),
    player: z.string(),
    promptHash: z.string(),
    requestHash: z.string(),
    attempt: AttemptSchema,
    spent: WorstCaseSchema,
    conclusion: ConclusionSchema.nullable(),
  }),
  z.strictObject({
    kind: z.literal("review"),
    verdict: z.enum(["upheld", "replaced"]),
    ruling: z.string(),
    reviewer: z.string(),
    at: z.string(),
    gold: z.unknown().optional(),
    agreed: z.boolean().optional(),
  }),
  /** The entry's text was erased on request; its hash and place in the chain stay. */
  z.strictObject({ kind: z.literal("erased"), was: z.string(), at: z.string() }),
  /** `lost` is the possible cost of calls that died with an earlier process; it counts against the budget. */
  z.strictObject({ kind: z.literal("end"), elapsedMs: z.number(), lost: WorstCaseSchema, result: DebateResultSchema }),
]);
export type EntryBody = z.infer<typeof EntryBodySchema>;
export type AttemptBody = Extract<EntryBody, { kind: "attempt" }>;

/** One link of the chain: `hash` covers the body, its position and the previous hash. */
const JournalEntrySchema = z.strictObject({
  seq: z.int().nonnegative(),
  prev: z.string(),
  hash: z.string(),
  body: EntryBodySchema,
});
export type JournalEntry = z.infer<typeof JournalEntrySchema>;

/** The version of the event stream; readers refuse a newer one. */
export const eventVersion = 1;

/** A live event of a debate. */
export type DebateEvent =
  | { type: "round_started"; round: number }
  | { type: "turn_started"; key: TurnKey; player: string }
  | { type: "text"; key: TurnKey; text: string }
  | { type: "turn"; turn: Turn; replayed: boolean }
  | { type: "note"; note: Note }
  | { type: "ended"; result: DebateResult };
