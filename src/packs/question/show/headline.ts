import type { QuestionDecision } from "../schemas/decision.ts";

/** What a reader acts on: the answer, whatever it rests on. */
export function headline({ answer }: QuestionDecision): Record<string, string> {
  return { answer: answer ?? "none" };
}
