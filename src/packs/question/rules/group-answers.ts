import { answerTypeOf, type Question } from "../schemas/question.ts";
import { normaliseAnswer } from "./answer.ts";
import { compareAnswers, type Sameness } from "./same-answer.ts";

/** Answers that say the same, by their places; `unsure` are the pairs that rules cannot tell apart or together. */
export type Grouping = { groups: number[][]; unsure: [number, number][] };

/** Compares two answers to one question: choices and numbers in canonical form, texts by their parts (question spec §5). */
export function compareFor(question: Question, a: string, b: string): Sameness {
  if (answerTypeOf(question) === "text") return compareAnswers(a, b, question.question);
  const isSame = normaliseAnswer(a, question) === normaliseAnswer(b, question);
  return { verdict: isSame ? "same" : "different", reason: "in canonical form" };
}

/** Groups answers that rules know to say the same; one joins the first group that it differs from in nothing (question spec §5.3). */
export function groupAnswers(answers: readonly string[], question: Question): Grouping {
  const groups: number[][] = [];
  const unsure: [number, number][] = [];
  const verdicts = new Map<number, Sameness["verdict"]>();
  const compare = (a: number, b: number): Sameness["verdict"] => {
    const key = a * answers.length + b;
    const verdict = verdicts.get(key) ?? compareFor(question, answers[a] ?? "", answers[b] ?? "").verdict;
    verdicts.set(key, verdict);
    return verdict;
  };
  for (const place of answers.keys()) {
    const home = groups.find((group) => {
      const told = group.map((member) => compare(member, place));
      return told.includes("same") && !told.includes("different");
    });
    if (home) home.push(place);
    else groups.push([place]);
  }
  for (const [index, [first = 0]] of groups.entries())
    for (const [other = 0] of groups.slice(index + 1))
      if (compare(first, other) === "unsure") unsure.push([first, other]);
  return { groups, unsure };
}

/** True when a grouping holds two answers together that rules know to be different. */
export function findWrongPair(groups: readonly number[][], answers: readonly string[], question: Question) {
  for (const group of groups)
    for (const [index, a] of group.entries())
      for (const b of group.slice(index + 1)) {
        const { verdict, reason } = compareFor(question, answers[a] ?? "", answers[b] ?? "");
        if (verdict === "different") return { a, b, reason };
      }
  return null;
}
