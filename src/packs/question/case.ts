import { choicesOf, type Question, QuestionShapeSchema } from "./schemas/question.ts";

/** A question: free text, multiple choice (a choice may be a bare text, lettered A, B, C…) or numeric (question spec §1). */
export const QuestionSchema = QuestionShapeSchema.superRefine((question, context) => {
  for (const { key, message } of findContradictions(question))
    context.addIssue({ code: "custom", path: [key], message });
});

function findContradictions({ answer_type, choices, docs }: Question): { key: keyof Question; message: string }[] {
  const problems: { key: keyof Question; message: string }[] = [];
  if (answer_type === "choice" && !choices)
    problems.push({ key: "choices", message: "a choice question needs its choices" });
  if (answer_type !== undefined && answer_type !== "choice" && choices)
    problems.push({
      key: "answer_type",
      message: `a question with choices cannot ask for a ${answer_type}; leave one of them out`,
    });
  for (const twice of findRepeated(choicesOf(choices).map((choice) => choice.key)))
    problems.push({ key: "choices", message: `two choices have the key "${twice}"` });
  for (const twice of findRepeated(docs.map((document) => document.id)))
    problems.push({ key: "docs", message: `two documents have the id "${twice}"` });
  return problems;
}

function findRepeated(names: string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
