import * as z from "zod";
import { AnswerTypeSchema } from "./question.ts";
import { JudgementSchema, SpeechSchema } from "./reply.ts";

const CampSchema = z.strictObject({
  canonical: z.string(),
  answer: z.string(),
  speakers: z.array(z.string()),
  confidence: z.number(),
});
/** An answer and who stands behind it. */
export type Camp = z.infer<typeof CampSchema>;

const RoundSchema = z.strictObject({
  round: z.int(),
  agreement: z.number(),
  speeches: z.array(SpeechSchema.extend({ speaker: z.string(), canonical: z.string().nullable() })),
});
/** What was said in a round, each speech with the form in which its answer is compared. */
export type Round = z.infer<typeof RoundSchema>;

/** What a question came to: the answer, who stood where, and what the plain vote of the openings would have said. */
export const QuestionDecisionSchema = z.strictObject({
  question: z.string(),
  answer_type: AnswerTypeSchema,
  answer: z.string().nullable(),
  short_answer: z.string().nullable(),
  canonical: z.string().nullable(),
  confidence: z.number(),
  decided_by: z.enum(["vote", "agreement", "judge", "single", "nobody"]),
  stop_reason: z.enum(["agreement", "max_rounds", "silence", "certainty", "fixed"]),
  votes: z.array(CampSchema),
  dissent: z.array(CampSchema),
  vote_after_openings: z.string().nullable(),
  rounds: z.array(RoundSchema),
  judgement: JudgementSchema.nullable(),
  sources: z.array(z.strictObject({ source: z.string(), quote: z.string() })),
});
export type QuestionDecision = z.infer<typeof QuestionDecisionSchema>;
