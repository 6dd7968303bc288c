import { type AnswerType, type Choice, choicesOf, type Question, answerType } from "./case.ts";
import { scaleOf, timesOf } from "./numbers-in.ts";

/** An answer in the form in which answers are compared: a choice's key, a plain number, or a normalised text; null when it is none. */
export function canonicalAnswer(answer: string, question: Pick<Question, "answer_type" | "choices">): string | null {
  const type: AnswerType = answerType(question as Question);
  if (type === "choice") return choiceKey(answer, choicesOf(question.choices));
  if (type === "number") return numberText(answer);
  return /[\p{L}\p{N}]/u.test(answer) ? normalText(answer) || null : null;
}

/** The key of the choice that an answer names: by key ("B", "(b)", "B. Paris") or by its full text. */
export function choiceKey(answer: string, choices: Choice[]): string | null {
  const text = normalText(answer);
  const byText = choices.find((choice) => normalText(choice.text) === text);
  if (byText) return byText.key;
  const byKey = choices.find((choice) => normalText(choice.key) === text);
  if (byKey) return byKey.key;
  const led = /^\s*\(?([^\s).:,]+)[).:,]\s*(.*)$/s.exec(answer);
  const key = choices.find((choice) => normalText(choice.key) === normalText(led?.[1] ?? ""));
  return key && (led?.[2] === "" || normalText(led?.[2] ?? "") === normalText(key.text)) ? key.key : null;
}

/** The number in an answer as plain digits ("$1,234.50" → "1234.5"); null when there is not exactly one. */
export function numberText(answer: string): string | null {
  const pattern = /([-−+]?\d[\d, ]*(?:\.\d+)?(?:e[-+]?\d+)?)(?:\s*(hundred|thousand|million|billion|trillion)\b)?/gi;
  const found = [...answer.matchAll(pattern)];
  if (found.length !== 1) return null;
  const [, digits = "", scale = ""] = found[0] ?? [];
  const value = timesOf(Number(digits.replaceAll(/[, ]/g, "").replace("−", "-")), scaleOf(scale) ?? 1);
  return Number.isFinite(value) ? String(value) : null;
}

/** Lower case, punctuation and articles gone, white space single: how texts are compared. */
export function normalText(text: string): string {
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
  const given = canonicalAnswer(answer, question);
  return given !== null && keys.some((key) => canonicalAnswer(key, question) === given);
}

/** True when two answers say the same: equal in canonical form, or texts that share most of their words and deny equally often. */
export function sameAnswer(a: string, b: string, type: AnswerType): boolean {
  if (a === b) return true;
  return type === "text" && denials(a) === denials(b) && wordDice(a, b) >= sameTextDice;
}

/** How many words of a normalised text deny ("not", "never", the "t" that is left of "isn't"). */
function denials(text: string): number {
  return text
    .split(" ")
    .filter((word) => /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|t)$/.test(word)).length;
}

const sameTextDice = 0.75;

function wordDice(a: string, b: string): number {
  const left = a.split(" ");
  const right = b.split(" ");
  const unmatched = new Map<string, number>();
  for (const word of right) unmatched.set(word, (unmatched.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of left) {
    const count = unmatched.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    unmatched.set(word, count - 1);
  }
  return (2 * shared) / (left.length + right.length);
}
