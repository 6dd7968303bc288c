import * as z from "zod";
import { AgentOutputSchema, ClaimSchema } from "./agent-output.ts";
import { CritiqueMessageSchema, CritiqueSchema } from "./critique-message.ts";
import { AgentSchema } from "./agent-output.ts";
import { SupervisionSchema } from "./supervision.ts";

const FaultSchema = z.strictObject({ code: z.string(), message: z.string() });
const faults = z.array(FaultSchema).optional();
const JudgedClaimSchema = ClaimSchema.extend({ risk: z.literal("no_evidence").optional() });

const OutputSchema = AgentOutputSchema.extend({
  claims: z.array(JudgedClaimSchema),
  faults,
  vector: z.array(z.number()).optional(),
});
const MessageSchema = CritiqueMessageSchema.extend({ echo_chamber: z.boolean().optional(), faults });

const RoundSchema = z.strictObject({
  round: z.int(),
  nla: OutputSchema,
  ala: OutputSchema,
  nla_on_ala: MessageSchema.nullish(),
  ala_on_nla: MessageSchema.nullish(),
  silent: z.array(AgentSchema).optional(),
  contradictions: z
    .array(
      z.strictObject({
        nla_claim_id: z.string(),
        ala_claim_id: z.string(),
        by: z.array(z.string()),
        statement: z.string(),
      }),
    )
    .optional(),
});

const RouteSchema = z.strictObject({
  label: z.enum(["pure_national", "pure_adat", "conflict", "consensus"]),
  scores: z.strictObject({ national: z.number(), adat: z.number(), conflict: z.number() }),
  out_of_scope: z.boolean(),
  rationale: z.string(),
});

const SummaryClaimSchema = z.strictObject({
  claim: z.string(),
  statement: z.string(),
  evidence: z.array(z.string()),
  confidence: z.number(),
  why: z.string(),
});

const SummarySchema = z.strictObject({
  query: z.string(),
  route: RouteSchema,
  rounds: z.int(),
  convergence: z.strictObject({
    met: z.boolean(),
    condition: z.union([z.literal(1), z.literal(2), z.literal(3)]).nullable(),
    numbers: z.strictObject({
      round: z.int(),
      open_critical: z.int(),
      open_major: z.int(),
      open_minor: z.int(),
      contested: z.int(),
      domain_conflicts_raised: z.int(),
      domain_conflicts_open: z.int(),
      answer_change_nla: z.number().nullable(),
      answer_change_ala: z.number().nullable(),
      answer_change: z.number().nullable(),
    }),
  }),
  critiques: z.array(
    z.strictObject({
      critique: CritiqueSchema.extend({ round: z.int(), agent: AgentSchema, target: AgentSchema }),
      status: z.enum(["open", "contested", "accepted", "withdrawn", "finding"]),
      why: z.string(),
    }),
  ),
  conflicts: z.array(
    z.strictObject({ refs: z.array(z.string()), statement: z.string(), status: z.string(), why: z.string() }),
  ),
  agreed_claims: z.array(SummaryClaimSchema),
  disputed_claims: z.array(SummaryClaimSchema),
  critique_counts: z.record(z.string(), z.int()),
  evidence_coverage: z.strictObject({ nla: z.number(), ala: z.number() }),
  faults: z.array(FaultSchema.extend({ round: z.int(), speaker: z.string() })),
  needs_human_review: z.boolean(),
  reasons: z.array(
    z.strictObject({
      code: z.enum([
        "critical_evidence",
        "critical_norm_conflict",
        "hard_contradiction",
        "evidence_missing_over_30_percent",
        "unchecked_claims",
        "not_converged_after_max_rounds",
      ]),
      message: z.string(),
      refs: z.array(z.string()),
    }),
  ),
});

/** A source that a claim cites, as it is shown; `statement` is a paraphrase, or what the user imported. */
const SourceSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  statement: z.string(),
  scope: z.string().nullable(),
  source: z.string(),
  confidence: z.string(),
  imported: z.boolean().optional(),
});
export type Source = z.infer<typeof SourceSchema>;

/** What a law debate comes to: the supervisor's answer, the claims it speaks of, their sources, and how it came about. */
export const LawDecisionSchema = SupervisionSchema.extend({
  language: z.enum(["id", "en"]),
  query: z.string(),
  route: RouteSchema,
  /** Who wrote the answer: the supervisor, a lone agent, a vote, nobody yet (`provisional`), or the rules over a recorded debate. */
  decided_by: z.enum(["supervisor", "single", "vote", "provisional", "rules"]),
  claims: z.array(JudgedClaimSchema.extend({ claim: z.string() })),
  sources: z.array(SourceSchema),
  /** Provisions that the question names and this knowledge base does not have. */
  unknown_provisions: z.array(z.string()),
  summary: SummarySchema.nullable(),
  rounds: z.array(RoundSchema),
  votes: z.array(z.strictObject({ voter: z.string(), position: z.string() })),
  faults,
});
export type LawDecision = z.infer<typeof LawDecisionSchema>;
