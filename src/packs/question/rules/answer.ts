import { findScale, multiply } from "../../../knowledge/documents/index.ts";
import { dice } from "../../../text/dice.ts";
import { type AnswerType, answerTypeOf, type Choice, choicesOf, type Question } from "../schemas/question.ts";

/** Brings an answer into the form in which answers are compared: a choice's key, a plain number, or a normalised text; null when it is none of them (question spec §5). */
export function normaliseAnswer(answer: string, question: Pick<Question, "answer_type" | "choices">): string | null {
  const type = answerTypeOf(question);
  if (type === "choice") return findChoice(answer, choicesOf(question.choices));
  if (type === "number") return readNumber(answer);
  return /[\p{L}\p{N}]/u.test(answer) ? normaliseText(answer) || null : null;
}

/** Finds the key of the choice that an answer names: by key ("B", "(b)", "B. Paris") or by its full text. */
export function findChoice(answer: string, choices: Choice[]): string | null {
  const text = normaliseText(answer);
  const byText = choices.find((choice) => normaliseText(choice.text) === text);
  if (byText) return byText.key;
  const byKey = choices.find((choice) => normaliseText(choice.key) === text);
  if (byKey) return byKey.key;
  const led = /^\s*\(?([^\s).:,]+)[).:,]\s*(.*)$/s.exec(answer);
  const key = choices.find((choice) => normaliseText(choice.key) === normaliseText(led?.[1] ?? ""));
  return key && (led?.[2] === "" || normaliseText(led?.[2] ?? "") === normaliseText(key.text)) ? key.key : null;
}

/** Reads the number in an answer as plain digits ("$1,234.50" → "1234.5"); null when there is not exactly one. */
export function readNumber(answer: string): string | null {
  const pattern = /([-−+]?\d[\d, ]*(?:\.\d+)?(?:e[-+]?\d+)?)(?:\s*(hundred|thousand|million|billion|trillion)\b)?/gi;
  const found = [...answer.matchAll(pattern)];
  if (found.length !== 1) return null;
  const [, digits = "", scale = ""] = found[0] ?? [];
  const value = multiply(Number(digits.replaceAll(/[, ]/g, "").replace("−", "-")), findScale(scale) ?? 1);
  return Number.isFinite(value) ? String(value) : null;
}

/** Lower case, punctuation and articles gone, white space single: how texts are compared. */
function normaliseText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .replaceAll(/\b(?:the|a|an)\b/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** True when an answer is the key or one of its other spellings. */
export function isRight(answer: string, question: Pick<Question, "answer_type" | "choices">, keys: string[]): boolean {
  const given = normaliseAnswer(answer, question);
  return given !== null && keys.some((key) => normaliseAnswer(key, question) === given);
}

const sameTextDice = 0.75;

/** True when two answers say the same: equal in canonical form, or texts that share most of their words and deny equally often (question spec §5). */
export function isSameAnswer(a: string, b: string, type: AnswerType): boolean {
  if (a === b) return true;
  return type === "text" && countDenials(a) === countDenials(b) && dice(a.split(" "), b.split(" ")) >= sameTextDice;
}

/** Counts the words of a normalised text that deny ("not", "never", the "t" that is left of "isn't"). */
function countDenials(text: string): number {
  return text
    .split(" ")
    .filter((word) => /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|t)$/.test(word)).length;
}
