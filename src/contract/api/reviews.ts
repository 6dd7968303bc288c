import * as z from "zod";
import { BudgetSchema } from "../budget.ts";
import { longestClaimMs } from "../run.ts";
import { TurnKeySchema } from "../turn.ts";
import { RunIdSchema, RunItemSchema, SectionSchema } from "./runs.ts";

const readable = /(?!\p{DI})[\p{L}\p{N}]/u;

/** The name of a person; a reviewer's comes from their token. */
export const ReviewerSchema = z
  .string()
  .trim()
  .max(80)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "is not a readable name")
  .regex(readable, "is not a readable name");

/** A person's reason; invisible characters and mere punctuation are not one. */
export const ReasonSchema = z.string().trim().min(1).max(10_000).regex(readable, "give a reason in words");

/** A reviewer's claim on an item; abandoned claims expire. */
export const ClaimSchema = z.strictObject({ reviewer: z.string(), until: z.string() });

/** An item for a person: a turn, a ruling on an escalated run, or permission to continue over a spent budget. */
export const ReviewItemSchema = z.strictObject({
  run: RunItemSchema,
  why: z.enum(["turn", "escalated", "budget"]),
  since: z.string(),
  claim: ClaimSchema.nullable(),
  /** Why the debate was handed over; hidden while the review is blind. */
  reasons: z.array(z.string()),
});
export type ReviewItem = z.infer<typeof ReviewItemSchema>;

export const ReviewPageSchema = z.strictObject({
  items: z.array(ReviewItemSchema),
  agreement: z.strictObject({ blind: z.int(), agreed: z.int() }),
});

export const ReviewDetailSchema = z.strictObject({
  item: ReviewItemSchema,
  input: z.unknown(),
  turn: z
    .strictObject({
      key: TurnKeySchema,
      prompt: z.array(z.string()),
      schema: z.record(z.string(), z.unknown()),
      problems: z.array(z.string()),
    })
    .nullable(),
  gold: z.record(z.string(), z.unknown()).nullable(),
  blind: z.boolean(),
});
export type ReviewDetail = z.infer<typeof ReviewDetailSchema>;

export const ClaimRequestSchema = z.strictObject({
  reviewer: ReviewerSchema.optional(),
  leaseMs: z.int().min(1_000).max(longestClaimMs).default(900_000),
});

/**
 * The reply of a waiting turn; null is an abstention. `turn` names the turn it was written for (ROUND/STEP/ROLE), so
 * that an old form cannot answer a later one. With a reason to `overrule` it may break a rule of the role.
 */
export const AnswerRequestSchema = z.strictObject({
  reviewer: ReviewerSchema.optional(),
  turn: z.string().max(200).optional(),
  reply: z.unknown(),
  overrule: ReasonSchema.optional(),
});

/** A ruling: `correct` gives the right answer as gold; over a spent budget, `uphold` with a `budget` continues. */
export const RulingRequestSchema = z.strictObject({
  reviewer: ReviewerSchema.optional(),
  verdict: z.enum(["uphold", "correct"]),
  why: ReasonSchema,
  gold: z.unknown().optional(),
  budget: BudgetSchema.optional(),
});

/** The result of a review. `agreed` compares a blind answer with the hidden decision. */
export const ReviewedSchema = z.strictObject({
  id: RunIdSchema,
  state: z.enum(["resumed", "settled", "closed", "refused"]),
  problems: z.array(z.string()),
  mayOverrule: z.boolean().optional(),
  agreed: z.boolean().nullable(),
});
export type Reviewed = z.infer<typeof ReviewedSchema>;

export const ContestSchema = z.strictObject({
  by: ReviewerSchema.optional(),
  statement: ReasonSchema.max(4_000),
  evidence: z.array(z.string().trim().min(1).max(20_000)).max(10).default([]),
  targets: z.array(z.string().trim().min(1).max(400)).max(20).optional(),
});

/** The result of a challenge: `branch` is null when it was irrelevant, `changed` while the branch waits for a person. */
export const ContestedSchema = z.strictObject({
  run: RunIdSchema,
  branch: RunIdSchema.nullable(),
  touches: z.strictObject({
    claims: z.array(z.strictObject({ turn: z.string(), name: z.string(), text: z.string() })),
    quotes: z.array(z.strictObject({ source: z.string(), quote: z.string() })),
    rules: z.array(z.string()),
    turns: z.array(z.string()),
  }),
  asked: z.array(z.string()),
  changed: z.boolean().nullable(),
  why: z.array(z.string()),
});
/** `sections` say the same as the other fields, to be shown. */
export const ContestReplySchema = ContestedSchema.extend({ sections: z.array(SectionSchema) });
export type Contested = z.infer<typeof ContestedSchema>;
