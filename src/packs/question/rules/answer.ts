import { listTerms, remember } from "../../../text/search.ts";
import { segmentSentences } from "../../../text/split-text.ts";
import { readValues } from "../../../text/values.ts";
import { answerTypeOf, type Choice, choicesOf, type Question } from "../schemas/case.ts";
import { answerWords } from "./words.ts";
import { compareAnswers, type Sameness } from "./same-answer.ts";

export type AnswerForm = Pick<Question, "answer_type" | "choices"> & { question?: string };

/** Normalises an answer: a choice's key, a plain number, or a normalised text; null if it is none of them (question spec §5.1). */
export function normaliseAnswer(answer: string, question: AnswerForm): string | null {
  const type = answerTypeOf(question);
  if (type === "choice") return findChoice(answer, choicesOf(question.choices));
  if (type === "number") return readNumber(answer);
  return isNoAnswer(answer) ? null : normaliseText(answer) || null;
}

const longestRefusal = 100;

/** True for a hedge, a refusal, punctuation only, or an answer that its own next sentence takes back: "Frost. No, that is wrong." */
export const isNoAnswer = remember(64, (answer: string): boolean => {
  const text = answer.normalize("NFKC").replaceAll("’", "'").trim();
  // Looked for only where they can matter, since most answers are no refusals.
  const listLater = (): string[] => [...segmentSentences(text)].slice(1);
  // A long answer that begins like a refusal may go on to answer: in another sentence, after "but", or with a value.
  const saysBut = (): boolean =>
    answerWords.conditions.some(({ kind, pattern }) => kind === "but" && pattern.test(text));
  const goesOn = (): boolean =>
    listLater().length > 0 || /[;:]/.test(text) || saysBut() || readValues(text).values.length > 0;
  return (
    !/[\p{L}\p{N}]/u.test(text) ||
    answerWords.noAnswerWhole.test(text) ||
    (answerWords.noAnswer.test(text) && (text.length <= longestRefusal || !goesOn())) ||
    (answerWords.withdrawn.test(text) && listLater().some(takesBack))
  );
});

/** True for a sentence that says nothing else: one that names what was withdrawn may stand in a good answer. */
function takesBack(sentence: string): boolean {
  const rest = sentence.replace(answerWords.withdrawn, "");
  return rest !== sentence && listTerms(rest).length <= 1;
}

/** Finds the choice an answer names: by key ("B", "(b)", "Option B", "B. Paris"), by text, or by yes or no. */
export function findChoice(answer: string, choices: Choice[]): string | null {
  const text = answer.normalize("NFKC").trim();
  const led =
    /^(?:(?:the )?(?:correct )?(?:answer|option|choice|jawaban|pilihan|opsi|정답)\s*(?:is\b|adalah\b|은|:)?\s*)?[("'[]?([^\s).:,\]"']+)[)"'\]]?[.:,]?\s*(.*)$/isu.exec(
      text,
    );
  const [, key = "", rest = ""] = led ?? [];
  const named = choices.find((choice) => choice.key.trim().toLowerCase() === key.toLowerCase());
  if (named && (rest === "" || isSame(rest, named.text))) return named.key;
  const byText = choices.filter((choice) => isSame(choice.text, text));
  if (byText.length === 1) return byText[0]?.key ?? null;
  return findStanceChoice(text, choices);
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string): string => normaliseText(text) || text.trim().toLowerCase();
  return plain(a) === plain(b);
}

/** "Yes, it does" is the choice that says yes, if there is one. */
function findStanceChoice(answer: string, choices: Choice[]): string | null {
  const { yes, no } = answerWords;
  const pattern = yes.test(answer) ? yes : no.test(answer) ? no : null;
  const saying = choices.filter(({ text }) => pattern?.test(text));
  return saying.length === 1 && !isNoAnswer(answer) ? (saying[0]?.key ?? null) : null;
}

/** The single number in an answer as plain digits ("$1,234.50" → "1234.5", "3,5" → "3.5", "negative 42" → "-42"); null unless there is exactly one. */
export function readNumber(answer: string): string | null {
  const [value, ...more] = readValues(answer.replaceAll(/(?<=\d)\s(?=\d{3}\b)/g, "")).values;
  if (!value || more.length > 0) return null;
  return value.kind === "number" ? String(value.readings[0]) : null;
}

const normaliseText = remember(64, (text: string) => {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
  const bare = words
    .replaceAll(/(?<=^| )(?:the|an?)(?= )/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return bare === "" ? words : bare;
});

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

/** Compares two answers to one question: choices and numbers in canonical form, texts by their parts (question spec §5). */
export function compareFor(question: AnswerForm, a: string, b: string): Sameness {
  if (answerTypeOf(question) === "text") return compareAnswers(a, b, question.question);
  const [one, other] = [normaliseAnswer(a, question), normaliseAnswer(b, question)];
  return { verdict: one !== null && one === other ? "same" : "different", reason: "in canonical form" };
}

/** Groups answers that certainly agree; each joins the first group it does not differ from (question spec §5.3). */
export function groupAnswers(answers: readonly string[], question: AnswerForm): number[][] {
  const groups: number[][] = [];
  for (const place of answers.keys()) {
    const home = groups.find((group) => {
      const verdicts = group.map((member) => compareFor(question, answers[member] ?? "", answers[place] ?? "").verdict);
      return verdicts.includes("same") && !verdicts.includes("different");
    });
    if (home) home.push(place);
    else groups.push([place]);
  }
  return groups;
}

/** Pairs of answers on which the rules cannot decide. */
export function countUnsure(answers: readonly string[], question: AnswerForm): number {
  const others = answers.flatMap((one, place) => answers.slice(place + 1).map((other) => [one, other] as const));
  return others.filter(([one, other]) => compareFor(question, one, other).verdict === "unsure").length;
}
