import type { Finished } from "../../../engine/pack.ts";
import { formatCount } from "../../../text/number-text.ts";
import type { QuestionConfig } from "../schemas/config.ts";
import type { QuestionDecision } from "../schemas/decision.ts";
import { choicesOf, type Question } from "../schemas/question.ts";

export type Done = Finished<Question, QuestionConfig, QuestionDecision>;

/** Words the answer, with its confidence, or with why nothing was decided. */
export function wordAnswer(input: Question, decision: QuestionDecision, { outcome, reasons }: Done["result"]): string {
  const answer = wordChoice(input, decision);
  if (outcome === "decided") return `${answer} (confidence ${decision.confidence.toFixed(2)})`;
  return `${answer} — ${outcome}: ${reasons.join("; ")}`;
}

/** Words the answer: a choice with its key and its text. */
export function wordChoice(input: Question, decision: QuestionDecision): string {
  const choice = choicesOf(input.choices).find(({ key }) => key === decision.canonical);
  return choice ? `${choice.key}: ${choice.text}` : (decision.answer ?? "none");
}

/** Says who decided, after how many rounds and why then, and what a plain vote would have said. */
export function explainDecision(done: Done, decision: QuestionDecision): string {
  const repeated = countRepeatedSamples(done);
  if (repeated > 1)
    return `by one program asked ${repeated} times: it answers the same each time, so that the samples agree says nothing`;
  const vote = decision.vote_after_openings;
  const plain = vote === null ? "no answer" : vote === decision.answer ? "the same" : `“${vote}”`;
  const by = {
    vote: "by vote",
    agreement: "by agreement",
    judge: "by the judge",
    single: "by one speaker",
    nobody: "by nobody",
  }[decision.decided_by];
  const isSaid = decision.stop_reason === "fixed" || decision.stop_reason === decision.decided_by;
  const stop = isSaid ? "" : ` (${decision.stop_reason.replaceAll("_", " ")})`;
  return `${by} after ${formatCount(decision.rounds.length, "round")}${stop}; a plain vote on the openings would have said ${plain}`;
}

/** Counts the samples that a program gave, which gives the same one each time; 0 when models or people were asked. */
export function countRepeatedSamples({ turns, config }: Done): number {
  if (config.protocol !== "self_consistency") return 0;
  return turns.every(({ key, player }) => key.step.startsWith("sample-") && player === "expert") ? turns.length : 0;
}
