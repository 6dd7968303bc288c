import * as z from "zod";

/** A document that an answer may quote. */
export const DocumentSchema = z.strictObject({ id: z.string().min(1), text: z.string() });
export type Document = z.infer<typeof DocumentSchema>;

const ChoiceSchema = z.strictObject({ key: z.string().min(1), text: z.string().min(1) });
export type Choice = z.infer<typeof ChoiceSchema>;

export const AnswerTypeSchema = z.enum(["text", "choice", "number"]);
export type AnswerType = z.infer<typeof AnswerTypeSchema>;

/** The keys of a question, each for itself; what must hold between them is checked in case.ts. */
export const QuestionShapeSchema = z.strictObject({
  id: z.string().optional(),
  question: z.string().refine((text) => text.trim() !== "", "a question needs text"),
  answer_type: AnswerTypeSchema.optional(),
  choices: z
    .array(z.union([z.string().min(1), ChoiceSchema]))
    .min(2)
    .optional(),
  docs: z.array(DocumentSchema).default([]),
});
export type Question = z.infer<typeof QuestionShapeSchema>;

/** What kind of answer a question wants: what it says, else choice when it has choices, else text. */
export function answerTypeOf(question: Pick<Question, "answer_type" | "choices">): AnswerType {
  return question.answer_type ?? (question.choices ? "choice" : "text");
}

/** The choices with their keys; bare texts get letters. */
export function choicesOf(choices: Question["choices"]): Choice[] {
  return (choices ?? []).map((choice, index) =>
    typeof choice === "string" ? { key: String.fromCharCode(65 + index), text: choice } : choice,
  );
}
