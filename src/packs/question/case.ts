import * as z from "zod";

/** A document that an answer may quote. */
export const DocumentSchema = z.strictObject({ id: z.string().min(1), text: z.string() });
export type Document = z.infer<typeof DocumentSchema>;

const ChoiceSchema = z.strictObject({ key: z.string().min(1), text: z.string().min(1) });

/** A question: free text, multiple choice (a choice may be a bare text, lettered A, B, C…) or numeric. */
export const QuestionSchema = z
  .strictObject({
    id: z.string().optional(),
    question: z.string().refine((text) => text.trim() !== "", "a question needs text"),
    answer_type: z.enum(["text", "choice", "number"]).optional(),
    choices: z
      .array(z.union([z.string().min(1), ChoiceSchema]))
      .min(2)
      .optional(),
    docs: z.array(DocumentSchema).default([]),
  })
  .superRefine(({ answer_type, choices, docs }, context) => {
    if (answer_type === "choice" && !choices)
      context.addIssue({ code: "custom", path: ["choices"], message: "a choice question needs its choices" });
    if (answer_type !== undefined && answer_type !== "choice" && choices)
      context.addIssue({
        code: "custom",
        path: ["answer_type"],
        message: `a question with choices cannot ask for a ${answer_type}; leave one of them out`,
      });
    for (const twice of repeated(choicesOf(choices).map((choice) => choice.key)))
      context.addIssue({ code: "custom", path: ["choices"], message: `two choices have the key "${twice}"` });
    for (const twice of repeated(docs.map((document) => document.id)))
      context.addIssue({ code: "custom", path: ["docs"], message: `two documents have the id "${twice}"` });
  });
export type Question = z.infer<typeof QuestionSchema>;
export type Choice = z.infer<typeof ChoiceSchema>;
export type AnswerType = "text" | "choice" | "number";

/** What kind of answer a question wants: what it says, else choice when it has choices, else text. */
export function answerType(question: Question): AnswerType {
  return question.answer_type ?? (question.choices ? "choice" : "text");
}

/** The choices with their keys; bare texts get letters. */
export function choicesOf(choices: Question["choices"]): Choice[] {
  return (choices ?? []).map((choice, index) =>
    typeof choice === "string" ? { key: String.fromCharCode(65 + index), text: choice } : choice,
  );
}

function repeated(names: string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
