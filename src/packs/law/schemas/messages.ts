import * as z from "zod";
import { nameOptions } from "../words/word.ts";

export const AgentSchema = z.enum(["NLA", "ALA"]);
export type Agent = z.infer<typeof AgentSchema>;

export function opponentOf(agent: Agent): Agent {
  return agent === "NLA" ? "ALA" : "NLA";
}

/** The law each agent argues from. */
export const sides = { NLA: "national", ALA: "adat" } as const;

const maxCharacters = 20_000;
const maxItems = 200;

export const text = z.string().refine((words) => words.length <= maxCharacters, {
  error: `longer than ${maxCharacters} characters`,
  params: { limit: "characters", most: maxCharacters },
});

const content = text.refine((words) => /[\p{L}\p{N}]/u.test(words), {
  error: "must not be empty",
  params: { limit: "empty" },
});

/** A list far longer than any role asks for is a faulty reply, not a list to cut. */
function limitList<T extends z.ZodType>(item: T) {
  return z.array(item).refine((items) => items.length <= maxItems, {
    error: `more than ${maxItems} items`,
    params: { limit: "items", most: maxItems },
  });
}

/** A list missing from the law document's own messages defaults to empty. */
function orNone<T extends z.ZodType>(item: T) {
  return z.preprocess((items) => items ?? [], limitList(item));
}

export const ClaimSchema = z.strictObject({
  id: content,
  evidence: limitList(text),
  assumptions: orNone(text),
  statement: content,
  confidence: z.number().min(0).max(1),
});
export const RiskSchema = z.enum(["no_evidence", "foreign_figure", "question", "denies_source", "other_language"]);
/** `risk` is set by the checks, never by the agent: why the claim lacks support. */
export type Claim = z.infer<typeof ClaimSchema> & { risk?: z.infer<typeof RiskSchema> | undefined };

export const ResponseSchema = z.strictObject({
  critique_id: content,
  reason: text,
  evidence: limitList(text),
  response: z.enum(["accepted", "rejected"]),
});
export type Response = z.infer<typeof ResponseSchema>;

export const FaultSchema = z.strictObject({ code: z.string(), message: z.string() });
export type Fault = z.infer<typeof FaultSchema>;
type Judged = { faults?: Fault[] | undefined };

/** An agent's reply, from reasons to conclusion; `responses` is empty in round 1. */
export const AgentOutputSchema = z.strictObject({
  round: z.int(),
  agent: AgentSchema,
  responses: orNone(ResponseSchema),
  claims: limitList(ClaimSchema),
  uncertainties: orNone(text),
  open_questions: orNone(text),
  answer: content,
});
export type AgentOutput = Omit<z.infer<typeof AgentOutputSchema>, "claims"> & Judged & { claims: Claim[] };

export const IssueTypeSchema = z.enum(["evidence_gap", "logic_gap", "conflict", "domain_mismatch", "overclaim"]);
export const SeveritySchema = z.enum(["CRITICAL", "MAJOR", "MINOR"]);
export type Severity = z.infer<typeof SeveritySchema>;

/** An objection to a claim of the other agent or, with `target_claim_id: null`, to an omission (law spec §3). */
export const CritiqueSchema = z.strictObject({
  id: content,
  target_claim_id: text.nullable(),
  description: text,
  evidence: orNone(text),
  issue_type: IssueTypeSchema,
  severity: SeveritySchema,
  suggested_fix: text,
});
/** `ungrounded` is set by the checks: it neither brings evidence nor says what is wrong. */
export type Critique = z.infer<typeof CritiqueSchema> & { ungrounded?: true | undefined };

export const CritiqueVerdictSchema = z.strictObject({
  critique_id: content,
  reason: text,
  verdict: z.enum(["upheld", "withdrawn"]),
});
export type CritiqueVerdict = z.infer<typeof CritiqueVerdictSchema>;

/** One agent's critique of the other in a round; `cleared` names claims compared with their sources and found sound. */
export const CritiqueMessageSchema = z.strictObject({
  round: z.int(),
  agent: AgentSchema,
  target: AgentSchema,
  verdicts: orNone(CritiqueVerdictSchema),
  critiques: limitList(CritiqueSchema),
  cleared: orNone(text),
  fewer_reason: text.nullable().default(null),
});
export type CritiqueMessage = Omit<z.infer<typeof CritiqueMessageSchema>, "critiques"> &
  Judged & { critiques: Critique[]; echo_chamber?: boolean | undefined };

/** A national dominant, B adat dominant, C both apply and conflict, D insufficient, E both without a clash (law spec §5.1). */
const positions = ["A", "B", "C", "D", "E"] as const;
export const PositionSchema = z
  .enum(positions)
  .meta({ title: "Which reading applies?", labels: nameOptions("position", positions) });
export type LawPosition = z.infer<typeof PositionSchema>;

export const SupervisionSchema = z.strictObject({
  used_claims: limitList(text),
  rejected_claims: limitList(z.strictObject({ claim: text, why: text })),
  applicable_regimes: limitList(text),
  reasons: limitList(text),
  dissent: text.nullable(),
  position: PositionSchema,
  answer: content,
  needs_human_review: z.boolean(),
  disclaimer: text,
});
export type Supervision = z.infer<typeof SupervisionSchema> & Judged;

export const SoloAnswerSchema = SupervisionSchema.omit({
  used_claims: true,
  rejected_claims: true,
  needs_human_review: true,
}).extend({
  claims: limitList(ClaimSchema),
});
export type SoloAnswer = Omit<z.infer<typeof SoloAnswerSchema>, "claims"> & Judged & { claims: Claim[] };
