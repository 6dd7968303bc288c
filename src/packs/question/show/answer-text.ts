import type { Finished } from "../../../engine/pack.ts";
import { counted } from "../../../text/number-text.ts";
import type { QuestionConfig } from "../schemas/config.ts";
import type { QuestionDecision } from "../schemas/decision.ts";
import { choicesOf, type Question } from "../schemas/question.ts";

export type Done = Finished<Question, QuestionConfig, QuestionDecision>;

/** Words the answer, with its confidence, or with why nothing was decided. */
export function wordAnswer(input: Question, decision: QuestionDecision, { outcome, reasons }: Done["result"]): string {
  const choice = choicesOf(input.choices).find(({ key }) => key === decision.canonical);
  const answer = choice ? `${choice.key}: ${choice.text}` : (decision.answer ?? "none");
  if (outcome === "decided") return `${answer} (confidence ${decision.confidence.toFixed(2)})`;
  return `${answer} — ${outcome}: ${reasons.join("; ")}`;
}

/** Says who decided, after how many rounds and why then, and what a plain vote would have said. */
export function explainDecision(done: Done, decision: QuestionDecision): string {
  const repeated = countRepeatedSamples(done);
  if (repeated > 1)
    return `by one program asked ${repeated} times: it answers the same each time, so that the samples agree says nothing`;
  const plain = decision.vote_after_openings === null ? "no answer" : `“${decision.vote_after_openings}”`;
  const by = {
    vote: "by vote",
    agreement: "by agreement",
    judge: "by the judge",
    single: "by one speaker",
    nobody: "by nobody",
  }[decision.decided_by];
  const stop = decision.stop_reason === "fixed" ? "" : ` (${decision.stop_reason.replaceAll("_", " ")})`;
  return `${by} after ${counted(decision.rounds.length, "round")}${stop}; a plain vote on the openings would have said ${plain}`;
}

/** Counts the samples that a program gave, which gives the same one each time; 0 when models or people were asked. */
export function countRepeatedSamples({ turns }: Done): number {
  return turns.every(({ key, player }) => key.step.startsWith("sample-") && player === "expert") ? turns.length : 0;
}
