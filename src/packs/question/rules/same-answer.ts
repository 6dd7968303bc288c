import { isSameValue, type Value } from "../../../knowledge/documents/index.ts";
import { type AnswerParts, namesLetters, readAnswerParts } from "./answer-parts.ts";
import { asksForPerson, yesOrNo } from "./answer-words.ts";

/** Whether two answers say the same, and what tells; `unsure` when only their wording differs and rules cannot tell. */
export type Sameness = { verdict: "same" | "different" | "unsure"; reason: string };

/**
 * Compares two answers to a question: numbers, dates, units, names and denials exactly, the wording loosely
 * (question spec §5.2).
 */
export function compareAnswers(a: string, b: string, question = ""): Sameness {
  if (a.trim() === b.trim()) return same("word for word");
  const hasLetters = namesLetters(a) || namesLetters(b);
  const [one, other] = [readAnswerParts(a, hasLetters), readAnswerParts(b, hasLetters)];
  const asked = readAnswerParts(question);
  return (
    compareLabels(one, other) ??
    compareValues(dropAsked(one.values, asked.values), dropAsked(other.values, asked.values)) ??
    compareStances(one, other, asked) ??
    compareWords(one, other, asked, question)
  );
}

/** True when rules can tell that two answers say the same. */
export function isSameAnswer(a: string, b: string, question = ""): boolean {
  return compareAnswers(a, b, question).verdict === "same";
}

function compareLabels({ label: a }: AnswerParts, { label: b }: AnswerParts): Sameness | null {
  if (a === null || b === null) return null;
  return a === b ? same(`both say ${a}`) : different(`one says ${a}, one ${b}`);
}

/** Values that only repeat the question do not count, unless nothing else is left. */
function dropAsked(values: Value[], asked: Value[]): Value[] {
  const own = values.filter((value) => !asked.some((one) => isSameValue(one, value)));
  return own.length === 0 ? values : own;
}

/** Different values are different answers; the same ones leave the rest to be compared. */
function compareValues(a: Value[], b: Value[]): Sameness | null {
  if (a.length === 0 || b.length === 0) return null;
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const isIn = few.every((value) => many.some((one) => isSameValue(one, value)));
  if (!isIn) return different("another value");
  return few.length === many.length && isEachFound(many, few) ? null : unsure("one gives more values");
}

function isEachFound(values: Value[], among: Value[]): boolean {
  return values.every((value, index) => {
    const other = among[index];
    return other !== undefined && isSameValue(other, value);
  });
}

/** Yes and no: said outright, or by a clause that only takes up the question ("It does not"). */
function compareStances(a: AnswerParts, b: AnswerParts, asked: AnswerParts): Sameness | null {
  if (a.stance === null && b.stance === null) return null;
  const [one, other] = [stanceOf(a, asked), stanceOf(b, asked)];
  if (one === null || other === null)
    return saysTheSame(a, b) ? same("the same clause, once after yes or no") : unsure("only one says yes or no");
  return one === other ? same(`both say ${one}`) : different("one says yes, one no");
}

/** "Yes, it is possible" and "It is possible": what follows yes or no says it again. */
function saysTheSame(a: AnswerParts, b: AnswerParts): boolean {
  const [one, other] = [clauseOf(a), clauseOf(b)];
  return one.length > 0 && a.denies === b.denies && hasSameWords(one, other);
}

/** The words of an answer without the yes or no that it begins with. */
function clauseOf({ stance, words }: AnswerParts): string[] {
  return stance !== null && yesOrNo.has(words[0] ?? "") ? words.slice(1) : words;
}

function stanceOf(parts: AnswerParts, asked: AnswerParts): "yes" | "no" | null {
  if (parts.stance !== null) return parts.stance;
  const own = parts.words.filter((word) => !asked.words.includes(word));
  return own.length === 0 && parts.values.length === 0 ? (parts.denies === asked.denies ? "yes" : "no") : null;
}

function compareWords(a: AnswerParts, b: AnswerParts, asked: AnswerParts, question: string): Sameness {
  if (a.denies !== b.denies)
    return isAboutSame(a.words, b.words) ? different("one denies what the other says") : unsure("one denies something");
  const ownOf = ({ words }: AnswerParts): string[] => words.filter((word) => !asked.words.includes(word));
  const isBare = ownOf(a).length === 0 && ownOf(b).length === 0;
  const [one, other] = isBare && a.values.length + b.values.length === 0 ? [a.words, b.words] : [ownOf(a), ownOf(b)];
  const hasValues = a.values.length > 0 && b.values.length > 0;
  if (hasValues && (one.length === 0 || other.length === 0)) return same("the same value");
  if (hasSameWords(one, other) && one.length > 0) return compareOrder(a, b);
  if (isBare && one.length > 0 && other.length > 0 && !one.some((word) => other.includes(word)))
    return different("two alternatives of the question");
  if (asksForPerson.test(question) && isLastName(one, other)) return same("the same last name");
  return unsure("worded otherwise");
}

/** A denial tells answers apart when they share half of the shorter one's words. */
function isAboutSame(a: string[], b: string[]): boolean {
  const shared = a.filter((word) => b.includes(word)).length;
  return shared * 2 >= Math.min(a.length, b.length);
}

function hasSameWords(a: string[], b: string[]): boolean {
  return a.every((word) => b.includes(word)) && b.every((word) => a.includes(word));
}

/** The same words in another order may say the opposite: who did it to whom. */
function compareOrder(a: AnswerParts, b: AnswerParts): Sameness {
  const names = [...a.names, ...b.names];
  const [one, other] = [a, b].map(({ inOrder }) => inOrder.filter((word) => names.includes(word))) as [
    string[],
    string[],
  ];
  if (one.length === other.length && one.join(" ") !== other.join(" "))
    return different("the names stand the other way round");
  const isSwapped = a.words.length > 2 && a.words[0] === b.words.at(-1) && a.words.at(-1) === b.words[0];
  return isSwapped && one.length < 2 ? different("the words stand the other way round") : same("the same words");
}

/** True when one is the end of the other, as a last name is of a full name. */
function isLastName(a: string[], b: string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length > 0 && long.slice(-short.length).join(" ") === short.join(" ");
}

const same = (reason: string): Sameness => ({ verdict: "same", reason });
const different = (reason: string): Sameness => ({ verdict: "different", reason });
const unsure = (reason: string): Sameness => ({ verdict: "unsure", reason });
