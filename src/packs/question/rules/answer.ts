import { readValues } from "../../../knowledge/documents/index.ts";
import { remember } from "../../../text/remember.ts";
import { answerTypeOf, type Choice, choicesOf, type Question } from "../schemas/question.ts";
import { readAnswerParts } from "./answer-parts.ts";
import { compareAnswers } from "./same-answer.ts";

/** What an answer to a question looks like. */
export type AnswerForm = Pick<Question, "answer_type" | "choices"> & { question?: string };

/** Brings an answer into the form in which it is written down: a choice's key, a plain number, or a normalised text; null when it is none of them (question spec §5.1). */
export function normaliseAnswer(answer: string, question: AnswerForm): string | null {
  const type = answerTypeOf(question);
  if (type === "choice") return findChoice(answer, choicesOf(question.choices));
  if (type === "number") return readNumber(answer);
  return /[\p{L}\p{N}]/u.test(answer) ? normaliseText(answer) || null : null;
}

/** Finds the key of the choice that an answer names: by its text, its key ("B", "(b)", "Option B", "B. Paris"), or by saying yes or no. */
export function findChoice(answer: string, choices: Choice[]): string | null {
  const text = normaliseText(answer);
  const byText = choices.find((choice) => text !== "" && normaliseText(choice.text) === text);
  if (byText) return byText.key;
  const byKey = choices.find((choice) => isKey(answer, choice));
  if (byKey) return byKey.key;
  const led =
    /^\s*(?:(?:the )?(?:answer|option|choice|jawaban|pilihan|opsi|정답)\s*(?:is\b|adalah\b|은|:)?\s*)?\(?([^\s).:,]+)[).:,]?\s*(.*)$/is.exec(
      answer,
    );
  const [, key = "", rest = ""] = led ?? [];
  const named = choices.find((choice) => isKey(key, choice));
  if (named && (rest === "" || normaliseText(rest) === normaliseText(named.text))) return named.key;
  return findStanceChoice(answer, choices);
}

/** True for a key as it is written, but for capitals and marks: the key "A" is not the article. */
function isKey(text: string, { key }: Choice): boolean {
  const plain = (one: string): string =>
    one
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, "");
  return plain(text) !== "" && plain(text) === plain(key);
}

/** "Yes, it does" is the choice that says yes, where one does. */
function findStanceChoice(answer: string, choices: Choice[]): string | null {
  const { stance } = readAnswerParts(answer);
  const saying = choices.filter(({ text }) => readAnswerParts(text).stance === stance);
  return stance !== null && saying.length === 1 ? (saying[0]?.key ?? null) : null;
}

/** Reads the number in an answer as plain digits ("$1,234.50" → "1234.5", "3,5" → "3.5", "Rp2.500.000" → "2500000"); null when there is not exactly one. */
export function readNumber(answer: string): string | null {
  const [value, ...more] = readValues(answer.replaceAll(/(?<=\d)\s(?=\d{3}\b)/g, "")).values;
  if (!value || more.length > 0) return null;
  if (value.kind === "ordinal") return String(value.place);
  return value.kind === "number" ? String(value.readings[0]) : null;
}

/** Lower case, punctuation and articles gone, white space single; asked for when an answer is given, recorded and counted. */
const normaliseText = remember(64, (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .replaceAll(/(?<=^| )(?:the|a|an)(?= |$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim(),
);

/** True when an answer is the key or one of its other spellings. */
export function isRight(answer: string, question: AnswerForm, keys: string[]): boolean {
  const given = normaliseAnswer(answer, question);
  if (given === null) return false;
  const isText = answerTypeOf(question) === "text";
  return keys.some(
    (key) =>
      normaliseAnswer(key, question) === given ||
      (isText && compareAnswers(answer, key, question.question).verdict === "same"),
  );
}
