import * as z from "zod";
import { JudgementSchema, SpeechSchema } from "./reply.ts";

const CampSchema = z.strictObject({
  canonical: z.string(),
  answer: z.string(),
  speakers: z.array(z.string()),
  confidence: z.number(),
});

/** What a question came to: the answer, who stood where, and what the plain vote of the openings would have said. */
export const QuestionDecisionSchema = z.strictObject({
  question: z.string(),
  answer_type: z.enum(["text", "choice", "number"]),
  answer: z.string().nullable(),
  canonical: z.string().nullable(),
  confidence: z.number(),
  decided_by: z.enum(["vote", "agreement", "judge", "single", "nobody"]),
  stop_reason: z.enum(["agreement", "max_rounds", "silence", "fixed"]),
  votes: z.array(CampSchema),
  dissent: z.array(CampSchema),
  vote_after_openings: z.string().nullable(),
  rounds: z.array(
    z.strictObject({
      round: z.int(),
      agreement: z.number(),
      speeches: z.array(SpeechSchema.extend({ speaker: z.string(), canonical: z.string().nullable() })),
    }),
  ),
  judgement: JudgementSchema.nullable(),
  sources: z.array(z.strictObject({ source: z.string(), quote: z.string() })),
});
export type QuestionDecision = z.infer<typeof QuestionDecisionSchema>;
export type Round = QuestionDecision["rounds"][number];
