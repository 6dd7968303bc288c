import * as z from "zod";
import { AgentSchema, content, type Fault, limitList, text } from "./agent-output.ts";

export const IssueTypeSchema = z.enum(["evidence_gap", "logic_gap", "conflict", "domain_mismatch", "overclaim"]);
export type IssueType = z.infer<typeof IssueTypeSchema>;

export const SeveritySchema = z.enum(["CRITICAL", "MAJOR", "MINOR"]);
export type Severity = z.infer<typeof SeveritySchema>;

/**
 * One objection to one claim of the other agent, or, with `target_claim_id: null`, to what that agent left out (law spec
 * §3). `evidence` is what the critic brings along: it goes to the other agent's revision.
 */
export const CritiqueSchema = z.strictObject({
  id: content,
  target_claim_id: text.nullable(),
  description: text,
  evidence: limitList(text),
  issue_type: IssueTypeSchema,
  severity: SeveritySchema,
  suggested_fix: text,
});
export type Critique = z.infer<typeof CritiqueSchema>;

/** What a critic now says of its own earlier critique, from round 2 on (law spec §4). */
export const CritiqueVerdictSchema = z.strictObject({
  critique_id: content,
  reason: text,
  verdict: z.enum(["upheld", "withdrawn"]),
});
export type CritiqueVerdict = z.infer<typeof CritiqueVerdictSchema>;

/** What one agent holds against the other in a round; `verdicts` is empty in round 1, `fewer_reason` says why there are fewer than three critiques. */
export const CritiqueMessageSchema = z.strictObject({
  round: z.int(),
  agent: AgentSchema,
  target: AgentSchema,
  verdicts: limitList(CritiqueVerdictSchema),
  critiques: limitList(CritiqueSchema),
  fewer_reason: text.nullable(),
});
/** `echo_chamber` and `faults` are set by the parse-time checks, never by the critic. */
export type CritiqueMessage = z.infer<typeof CritiqueMessageSchema> & { echo_chamber?: boolean; faults?: Fault[] };
