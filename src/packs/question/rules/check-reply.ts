import type { Problem } from "../../../contract/turn.ts";
import type { Round } from "../schemas/decision.ts";
import { answerTypeOf, choicesOf, type Document, type Question } from "../schemas/question.ts";
import type { Judgement, Speech } from "../schemas/reply.ts";
import { normaliseAnswer } from "./answer.ts";

/** Checks that an answer has the form that the question asks for (question spec §4.2). */
export function checkAnswer(answer: string | null, question: Question): Problem[] {
  if (answer === null || normaliseAnswer(answer, question) !== null) return [];
  const keys = choicesOf(question.choices).map((choice) => choice.key);
  const wanted = {
    choice: `one of ${keys.join(", ")}`,
    number: "a single number",
    text: "an answer in words",
  }[answerTypeOf(question)];
  return [{ code: "bad_answer", message: `"${answer}" is not ${wanted}`, severity: "reject", path: ["answer"] }];
}

/** Checks that the winner is one of the answers, and that a choice or a number decided for is what the winner said (question spec §4.2). */
export function checkWinner({ winner, answer }: Judgement, question: Question, speeches: Round["speeches"]): Problem[] {
  if (winner === null) return [];
  const followed = speeches[winner - 1];
  if (!followed) {
    const message = `there is no answer ${winner}, only 1 to ${speeches.length}`;
    return [{ code: "unknown_answer", message, severity: "reject", path: ["winner"] }];
  }
  const key = (text: string | null): string | null => (text === null ? null : normaliseAnswer(text, question));
  if (answerTypeOf(question) === "text" || key(followed.answer) === key(answer)) return [];
  const message = `answer ${winner} says ${followed.answer ?? "nothing"}, not ${answer ?? "nothing"}; follow it, another one, or null`;
  return [{ code: "other_answer", message, severity: "reject", path: ["answer"] }];
}

/** Checks that each quote stands in the document it names, word for word but for white space (question spec §4.2). */
export function checkQuotes(speech: Speech, question: Question): Problem[] {
  return speech.quotes.flatMap(({ source, quote }, index): Problem[] => {
    const document = question.docs.find((one) => one.id === source);
    if (document && textOf(document).includes(collapseSpace(quote))) return [];
    const message = document ? `"${source}" does not say "${quote}"` : `there is no document "${source}"`;
    return [{ code: "unfounded_quote", message, severity: "salvage", path: ["quotes", index] }];
  });
}

/** Strikes the quotes that have a problem; the rest of the speech stands. */
export function strikeQuotes(speech: Speech, problems: Problem[]): Speech {
  return { ...speech, quotes: speech.quotes.filter((_, index) => !isStruck(index, problems)) };
}

const textOfDocuments = new WeakMap<Document, string>();

/** A document's text with white space collapsed, made once. */
function textOf(document: Document): string {
  const text = textOfDocuments.get(document) ?? collapseSpace(document.text);
  textOfDocuments.set(document, text);
  return text;
}

function collapseSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function isStruck(index: number, problems: Problem[]): boolean {
  return problems.some((problem) => problem.path?.[0] === "quotes" && problem.path[1] === index);
}
