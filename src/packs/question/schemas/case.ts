import * as z from "zod";

export const DocumentSchema = z.strictObject({ id: z.string().min(1), text: z.string() });
export type Document = z.infer<typeof DocumentSchema>;

const ChoiceSchema = z.strictObject({ key: z.string().min(1), text: z.string().min(1) });
export type Choice = z.infer<typeof ChoiceSchema>;

export const AnswerTypeSchema = z.enum(["text", "choice", "number"]);
export type AnswerType = z.infer<typeof AnswerTypeSchema>;

const QuestionShapeSchema = z.strictObject({
  id: z.string().optional(),
  question: z
    .string()
    .refine((text) => text.trim() !== "", "the question is empty")
    .meta({ title: "The question" }),
  answer_type: AnswerTypeSchema.optional().meta({ title: "What kind of answer" }),
  choices: z
    .array(z.union([z.string().min(1), ChoiceSchema]))
    .min(2)
    .optional()
    .meta({ title: "The answers to choose from" }),
  docs: z.array(DocumentSchema).default([]).meta({ title: "Documents" }),
});
export type Question = z.infer<typeof QuestionShapeSchema>;

/** A question: free text, multiple choice (choices may be bare texts, lettered A, B, C…) or numeric. Plain text is a question too (question spec §1). */
export const QuestionSchema: z.ZodType<Question> = z.preprocess(
  (given) => (typeof given === "string" ? { question: given } : given),
  QuestionShapeSchema.superRefine((question, context) => {
    for (const { key, message } of findContradictions(question))
      context.addIssue({ code: "custom", path: [key], message });
  }),
);

/** The declared type, else "choice" with choices, else "text". */
export function answerTypeOf(question: Pick<Question, "answer_type" | "choices">): AnswerType {
  return question.answer_type ?? (question.choices ? "choice" : "text");
}

export function choicesOf(choices: Question["choices"]): Choice[] {
  return (choices ?? []).map((choice, index) =>
    typeof choice === "string" ? { key: String.fromCharCode(65 + index), text: choice } : choice,
  );
}

function findContradictions({ answer_type, choices, docs }: Question): { key: keyof Question; message: string }[] {
  const listed = choicesOf(choices);
  const plain = (text: string): string => text.trim().toLowerCase();
  const isOtherKey = (choice: Choice): boolean =>
    listed.some(({ key }) => key !== choice.key && plain(key) === plain(choice.text));
  const findRepeated = (names: string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);
  const ofChoices = [
    ...(answer_type === "choice" && !choices ? ["a choice question needs its choices"] : []),
    ...findRepeated(listed.map(({ key }) => plain(key))).map((key) => `two choices have the key "${key}"`),
    ...findRepeated(listed.map(({ text }) => plain(text))).map((text) => `two choices say "${text}"`),
    ...listed
      .filter(isOtherKey)
      .map(
        ({ key, text }) =>
          `the text of choice "${key}" is the key of another ("${text}"): an answer could mean either; give the choices other keys`,
      ),
  ];
  const ofType =
    answer_type !== undefined && answer_type !== "choice" && choices
      ? [`a question with choices cannot ask for a ${answer_type}; leave one of them out`]
      : [];
  const ofDocs = findRepeated(docs.map(({ id }) => id)).map((id) => `two documents have the id "${id}"`);
  return Object.entries({ choices: ofChoices, answer_type: ofType, docs: ofDocs }).flatMap(([key, messages]) =>
    messages.map((message) => ({ key: key as keyof Question, message })),
  );
}
