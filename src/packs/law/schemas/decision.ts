import * as z from "zod";
import { LanguageSchema, RouteSchema } from "./material.ts";
import {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  AgentSchema,
  type Claim,
  ClaimSchema,
  type CritiqueMessage,
  CritiqueMessageSchema,
  CritiqueSchema,
  FaultSchema,
  PositionSchema,
  RiskSchema,
  SupervisionSchema,
} from "./messages.ts";

const faults = z.array(FaultSchema).optional();
const JudgedClaimSchema = ClaimSchema.extend({ risk: RiskSchema.optional() });
const JudgedCritiqueSchema = CritiqueSchema.extend({ ungrounded: z.literal(true).optional() });
const OutputSchema = AgentOutputSchema.extend({ claims: z.array(JudgedClaimSchema), faults });
const MessageSchema = CritiqueMessageSchema.extend({
  critiques: z.array(JudgedCritiqueSchema),
  echo_chamber: z.boolean().optional(),
  faults,
});

const RoundSchema = z.strictObject({
  round: z.int(),
  nla: OutputSchema,
  ala: OutputSchema,
  nla_on_ala: MessageSchema.nullish(),
  ala_on_nla: MessageSchema.nullish(),
  /** Critics who were asked twice in this round without checking, so the other side's claims went unchecked. */
  silent: z.array(AgentSchema).optional(),
});
export type Round = z.infer<typeof RoundSchema>;

export function outputOf(round: Round, agent: Agent): AgentOutput {
  return agent === "NLA" ? round.nla : round.ala;
}

export function critiqueOf(round: Pick<Round, "nla_on_ala" | "ala_on_nla">, agent: Agent): CritiqueMessage | null {
  return (agent === "NLA" ? round.nla_on_ala : round.ala_on_nla) ?? null;
}

export function claimOf(output: AgentOutput, id: string | null): Claim | null {
  return output.claims.find((claim) => claim.id === id) ?? null;
}

const StatusSchema = z.enum(["open", "contested", "accepted", "withdrawn", "finding", "unanswered", "ungrounded"]);
const ReasonCodeSchema = z.enum([
  "critical_evidence",
  "critical_norm_conflict",
  "hard_contradiction",
  "evidence_missing_over_30_percent",
  "unchecked_claims",
  "beside_question",
  "no_citable_source",
  "law_not_heard",
  "open_domain_conflict",
  "unanswered_critique",
  "claims_dropped",
  "disputed_fact",
  "one_reading",
  "hinges_on_open_critique",
  "not_converged_after_max_rounds",
  "supervisor_disagrees",
  "no_supervisor",
  "requested_by_supervisor",
]);
export type EscalationCode = z.infer<typeof ReasonCodeSchema>;

const ReasonSchema = z.strictObject({ code: ReasonCodeSchema, message: z.string(), refs: z.array(z.string()) });
export type Reason = z.infer<typeof ReasonSchema>;

const SummaryClaimSchema = ClaimSchema.omit({ id: true, assumptions: true }).extend({
  claim: z.string(),
  why: z.string(),
});

const SummarySchema = z.strictObject({
  query: z.string(),
  route: RouteSchema,
  rounds: z.int(),
  convergence: z.strictObject({
    met: z.boolean(),
    condition: z.union([z.literal(1), z.literal(2), z.literal(3)]).nullable(),
    numbers: z.record(z.string(), z.number().nullable()),
  }),
  critiques: z.array(
    z.strictObject({
      critique: JudgedCritiqueSchema.extend({ round: z.int(), agent: AgentSchema, target: AgentSchema }),
      status: StatusSchema,
      why: z.string(),
    }),
  ),
  conflicts: z.array(
    z.strictObject({ refs: z.array(z.string()), statement: z.string(), status: z.string(), why: z.string() }),
  ),
  agreed_claims: z.array(SummaryClaimSchema),
  disputed_claims: z.array(SummaryClaimSchema),
  dropped_claims: z.array(SummaryClaimSchema.extend({ conceded: z.boolean() })),
  position: z.strictObject({ position: PositionSchema, standing: z.array(z.string()), why: z.array(z.string()) }),
  critique_counts: z.record(z.string(), z.int()),
  evidence_coverage: z.strictObject({ nla: z.number(), ala: z.number() }),
  faults: z.array(FaultSchema.extend({ round: z.int(), speaker: z.string() })),
  needs_human_review: z.boolean(),
  reasons: z.array(ReasonSchema),
});
export type DebateSummary = z.infer<typeof SummarySchema>;

const SourceSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  statement: z.string(),
  scope: z.string().nullable(),
  source: z.string(),
  confidence: z.string(),
  imported: z.boolean(),
});
export type Source = z.infer<typeof SourceSchema>;

export const LawDecisionSchema = SupervisionSchema.extend({
  language: LanguageSchema,
  query: z.string(),
  route: RouteSchema,
  missing: z.array(z.string()),
  /** Author of the answer: the supervisor, a lone agent, a vote, nobody yet (`provisional`), or the rules. */
  decided_by: z.enum(["supervisor", "single", "vote", "provisional", "rules"]),
  supervisor_position: PositionSchema.nullable(),
  review_reasons: z.array(ReasonSchema),
  claims: z.array(JudgedClaimSchema.extend({ claim: z.string() })),
  sources: z.array(SourceSchema),
  unknown_provisions: z.array(z.string()),
  summary: SummarySchema.nullable(),
  rounds: z.array(RoundSchema),
  votes: z.array(z.strictObject({ voter: z.string(), position: z.string() })),
  faults,
});
export type LawDecision = z.infer<typeof LawDecisionSchema>;
