import * as z from "zod";

const content = z.string().refine((text) => text.trim() !== "", "must not be empty");

/** What a speaker says. `answer` is null when it has none, and `reasoning` says why. */
export const SpeechSchema = z.strictObject({
  answer: content.nullable(),
  reasoning: content,
  confidence: z.number().min(0).max(1),
  quotes: z
    .array(z.strictObject({ source: z.string(), quote: content }))
    .refine((quotes) => quotes.length <= 100, "more than 100 quotes"),
});
export type Speech = z.infer<typeof SpeechSchema>;

/** What a judge says; `winner` is the number of the answer it follows, or null for none of them. */
export const JudgementSchema = z.strictObject({
  answer: content.nullable(),
  winner: z.int().min(1).nullable(),
  reasoning: content,
  confidence: z.number().min(0).max(1),
});
export type Judgement = z.infer<typeof JudgementSchema>;
