import { isSameValue, readValues, type Value } from "../../../knowledge/documents/index.ts";

/** Words by which a question asks for a result that no sentence states unless it has them too. */
const results =
  /\b(?:altogether|in all|total|in total|combined|left|remain\w*|average|more than|fewer than|less than|times as|difference|change|profit|each|per|every|if)\b|\b(?:seluruhnya|jumlah|sisa|rata-rata|selisih)\b|모두 합|합계|남은|평균/giu;

/** Amounts that are told by way of another amount, or for one of several. */
const rates =
  /\b(?:twice|half|double|triple|times|more [^,.]{0,30}than|more than|less than|fewer than|each|per|every|apiece|an hour|a (?:day|week|month|pound|piece|dozen))\b/giu;

/** True when a question asks for a result that a sentence does not state but only gives figures for: the expert reads, it does not calculate. */
export function isComputed(question: string, sentence: string): boolean {
  if (givesOtherAmounts(question, sentence)) return true;
  const asked = question.match(results) ?? [];
  const stated = sentence.toLowerCase();
  if (asked.some((word) => !stated.includes(word.toLowerCase()))) return true;
  const told = sentence.match(rates) ?? [];
  return (
    /\bhow (?:many|much)\b/i.test(question) && told.some((word) => !question.toLowerCase().includes(word.toLowerCase()))
  );
}

/** A question about an amount is not answered by a sentence about others of its kind: whether they reach it must be worked out. */
function givesOtherAmounts(question: string, sentence: string): boolean {
  const asked = listAmounts(question);
  const told = listAmounts(sentence);
  return asked.some((one) => {
    const alike = told.filter(({ measure }) => measure === one.measure);
    return alike.length > 0 && !alike.some((other) => isSameValue(one, other));
  });
}

/** The amounts of money, lengths and the like in a text; counts and stretches of time are told in too many ways. */
function listAmounts(text: string): Amount[] {
  return readValues(text).values.filter(
    (value): value is Amount => value.kind === "number" && value.measure !== null && !elastic.has(value.measure),
  );
}

type Amount = Extract<Value, { kind: "number" }>;
const elastic = new Set(["time", "months"]);
