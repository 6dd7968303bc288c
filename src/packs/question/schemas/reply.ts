import * as z from "zod";

const content = z.string().refine((text) => text.trim() !== "", "must not be empty");

/** What a speaker says: its reasons first, then what it concludes. `answer` is null when it has none, and `reasoning` says why. */
export const SpeechSchema = z.strictObject({
  reasoning: content,
  quotes: z
    .array(z.strictObject({ source: z.string(), quote: content }))
    .refine((quotes) => quotes.length <= 100, "more than 100 quotes"),
  answer: content.nullable(),
  /** The choice, number, date or name alone, or at most eight words: answers are compared by it. */
  short_answer: content.nullable().default(null),
  confidence: z.number().min(0).max(1),
});
export type Speech = z.infer<typeof SpeechSchema>;

/** What a judge says; `winner` is the number of the answer it follows, or null for none of them. */
export const JudgementSchema = z.strictObject({
  reasoning: content,
  winner: z.int().min(1).nullable(),
  answer: content.nullable(),
  confidence: z.number().min(0).max(1),
});
export type Judgement = z.infer<typeof JudgementSchema>;

/** Which of the numbered answers say the same: each number stands in exactly one group. */
export const SameAnswersSchema = z.strictObject({
  reasoning: content,
  groups: z.array(z.array(z.int().min(1)).min(1)).min(1),
});
export type SameAnswers = z.infer<typeof SameAnswersSchema>;
