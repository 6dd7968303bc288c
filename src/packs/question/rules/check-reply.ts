import type { Problem } from "../../../contract/turn.ts";
import type { Round } from "../schemas/decision.ts";
import type { Material } from "../../../knowledge/documents/index.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/question.ts";
import type { Judgement, SameAnswers, Speech } from "../schemas/reply.ts";
import { normaliseAnswer } from "./answer.ts";
import { compareFor, findWrongPair } from "./group-answers.ts";

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

/** The most words of a short answer. */
const maxShortWords = 8;

/** Checks that a short answer is short, has the form that the question asks for, and does not contradict the answer (question spec §4.2). */
export function checkShortAnswer({ answer, short_answer: short }: Speech, question: Question): Problem[] {
  if (short === null || answer === null) return [];
  const words = short.trim().split(/\s+/).length;
  const path = ["short_answer"];
  if (words > maxShortWords)
    return [
      {
        code: "long_short_answer",
        message: `short_answer has ${words} words, at most ${maxShortWords}`,
        severity: "salvage",
        path,
      },
    ];
  if (compareFor(question, short, answer).verdict !== "different") return [];
  const message = `short_answer "${short}" does not say what answer says`;
  return [{ code: "other_short_answer", message, severity: "salvage", path }];
}

/** Checks that each answer stands in exactly one group, and that none holds two that rules know to differ (question spec §4.2). */
export function checkGroups({ groups }: SameAnswers, input: { question: Question; answers: string[] }): Problem[] {
  const { question, answers } = input;
  const given = groups.flat().toSorted((a, b) => a - b);
  const wanted = answers.map((_, index) => index + 1);
  if (given.join() !== wanted.join())
    return [
      {
        code: "bad_groups",
        message: `each of the answers 1 to ${answers.length} must stand in exactly one group`,
        severity: "reject",
        path: ["groups"],
      },
    ];
  const wrong = findWrongPair(
    groups.map((group) => group.map((number) => number - 1)),
    answers,
    question,
  );
  if (!wrong) return [];
  const message = `answers ${wrong.a + 1} and ${wrong.b + 1} do not say the same: ${wrong.reason}`;
  return [{ code: "known_different", message, severity: "reject", path: ["groups"] }];
}

/** Checks that each quote stands in what was shown of the document it names, word for word but for white space (question spec §4.2). */
export function checkQuotes(speech: Speech, material: Material): Problem[] {
  return speech.quotes.flatMap(({ source, quote }, index): Problem[] => {
    const shown = shownTexts(material).get(source);
    if (shown?.some((text) => text.includes(collapseSpace(quote)))) return [];
    const isFile = material.files.some((file) => file.source === source);
    const message = shown
      ? `what was shown of "${source}" does not say "${quote}"`
      : isFile
        ? `nothing of "${source}" was shown`
        : `there is no document "${source}"`;
    return [{ code: "unfounded_quote", message, severity: "salvage", path: ["quotes", index] }];
  });
}

const unquoted = "unquoted_answer";

/** Checks that an answer which may only come from the documents quotes them: one quote at least that stands there (question spec §4.2). */
export function checkQuoted({ answer, quotes }: Speech, unfounded: Problem[]): Problem[] {
  if (answer === null || quotes.length > unfounded.length) return [];
  const message = "answer from the documents only: quote what the answer rests on, or answer null";
  return [{ code: unquoted, message, severity: "salvage", path: ["answer"] }];
}

/** Checks that a judge who may only follow the documents follows an answer that quotes them (question spec §4.2). */
export function checkFollowsQuotes({ winner, answer }: Judgement, speeches: Round["speeches"]): Problem[] {
  if (answer === null || (winner !== null && (speeches[winner - 1]?.quotes.length ?? 0) > 0)) return [];
  const message = "answer from the documents only: follow an answer that quotes them, or give null";
  return [{ code: unquoted, message, severity: "reject", path: ["winner"] }];
}

/** Strikes the quotes, the short answer and an unquoted answer that have a problem; the rest of the speech stands. */
export function strikeParts(speech: Speech, problems: Problem[]): Speech {
  const isShortStruck = problems.some(({ path }) => path?.[0] === "short_answer");
  const kept = {
    ...speech,
    quotes: speech.quotes.filter((_, index) => !isStruck(index, problems)),
    short_answer: isShortStruck ? null : speech.short_answer,
  };
  if (!problems.some(({ code }) => code === unquoted)) return kept;
  const reasoning = `Not counted, since it quotes no document: “${speech.answer ?? ""}”. ${speech.reasoning}`;
  return { ...kept, reasoning, answer: null, short_answer: null, confidence: 0 };
}

const textsOfMaterial = new WeakMap<Material, Map<string, string[]>>();

/** The shown stretches of each document with white space collapsed, made once. */
function shownTexts(material: Material): Map<string, string[]> {
  let texts = textsOfMaterial.get(material);
  if (!texts) {
    const shown = Map.groupBy(material.passages, ({ source }) => source);
    texts = new Map([...shown].map(([source, parts]) => [source, parts.map(({ text }) => collapseSpace(text))]));
    textsOfMaterial.set(material, texts);
  }
  return texts;
}

function collapseSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function isStruck(index: number, problems: Problem[]): boolean {
  return problems.some((problem) => problem.path?.[0] === "quotes" && problem.path[1] === index);
}
