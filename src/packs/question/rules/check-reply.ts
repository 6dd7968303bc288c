import type { Problem } from "../../../contract/turn.ts";
import { listTerms, splitWords, termOf } from "../../../text/search.ts";
import { isSameValue, readValues, type Value } from "../../../text/values.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/case.ts";
import type { Judgement, Round, SameAnswers, Said, Speech } from "../schemas/debate.ts";
import { compareFor, isNoAnswer, normaliseAnswer } from "./answer.ts";
import { checkQuote, isOtherScript, type QuoteContext } from "./quotes.ts";
import { answerWords } from "./words.ts";

const noAnswer = "no_answer_given";
const unquoted = "unquoted_answer";

const problem =
  (severity: Problem["severity"]) =>
  (code: string, message: string, ...path: (string | number)[]): Problem => ({ code, message, severity, path });
const [strike, reject] = [problem("salvage"), problem("reject")];

/** An answer must have the form the question asks for; a hedge or refusal is no answer (question spec §4.2). */
export function checkAnswer(answer: string | null, question: Question): Problem[] {
  if (answer === null || normaliseAnswer(answer, question) !== null) return [];
  if (isNoAnswer(answer)) return [strike(noAnswer, `"${answer}" is not an answer: choose one, or give null`, "answer")];
  const keys = choicesOf(question.choices).map((choice) => choice.key);
  const wanted = { choice: `one of ${keys.join(", ")}`, number: "a single number", text: "an answer in words" };
  return [reject("bad_answer", `"${answer}" is not ${wanted[answerTypeOf(question)]}`, "answer")];
}

const maxShortWords = 8;
/** A longer answer may state things its short form leaves out. */
const mostAdded = 4;

/** A short answer must be short and agree with the answer (question spec §4.2). */
export function checkShortAnswer({ answer, short_answer: short }: Speech, question: Question): Problem[] {
  if (short === null || answer === null) return [];
  const words = short.trim().split(/\s+/).length;
  if (words > maxShortWords)
    return [strike("long_short_answer", `short_answer has ${words} words, at most ${maxShortWords}`, "short_answer")];
  const { verdict } = compareFor(question, short, answer);
  // "Either frost or steel" is not "frost", and "between 10 and 20" is not "10".
  const leavesOpen = answerWords.alternatives.test(answer) && !answerWords.alternatives.test(short);
  if (verdict === "same" || (verdict === "unsure" && !leavesOpen && isWithin(short, answer, question))) return [];
  return [strike("other_short_answer", `short_answer "${short}" does not say what answer says`, "short_answer")];
}

function isWithin(short: string, answer: string, { question }: Question): boolean {
  if (isOtherScript(short, answer)) return true;
  const [own, said] = [readValues(short), readValues(answer)];
  const [words, asked] = [listTerms(own.rest), listTerms(question)];
  const exact = (value: Value): Value => ({ ...value, bound: null });
  if (!own.values.every((value) => said.values.some((one) => isSameValue(exact(one), exact(value))))) return false;
  const isHalf = (some: string[], among: string[]): boolean =>
    some.filter((term) => among.includes(term)).length * 2 >= some.length;
  // "Grade" leaves out part of "a wrong grade of steel".
  const added = listTerms(said.rest).filter((term) => !asked.includes(term));
  const isGutted = own.values.length === 0 && added.length <= mostAdded && !isHalf(added, words);
  return !isGutted && isHalf(words, [...listTerms(answer), ...asked]);
}

/** Checks each quote, and that an answer bound to the documents keeps one (question spec §4.2). */
export function checkQuotes(speech: Speech, context: QuoteContext, isBound: boolean): Problem[] {
  const checked = speech.quotes.map((quote) => checkQuote(quote, speech.answer, context));
  const problems = checked.flatMap(({ status, why }, index) =>
    status === "supported" ? [] : [strike(`${status}_quote`, why, "quotes", index)],
  );
  const stands = checked.some(({ status }) => status === "supported" || status === "misattributed");
  if (!isBound || speech.answer === null || stands) return problems;
  const message = "answer from the documents only: quote the sentence that the answer rests on, or answer null";
  return [...problems, strike(unquoted, message, "answer")];
}

/** Removes faulty quotes, short answers and answers; moves a misattributed quote to its own source; keeps the rest. */
export function strikeParts(speech: Speech, problems: Problem[], context: QuoteContext): Speech {
  const isShortStruck = problems.some(({ path }) => path?.[0] === "short_answer");
  const quotes = speech.quotes.flatMap((quote, index) => {
    const flaw = problems.find(({ path }) => path?.[0] === "quotes" && path[1] === index)?.code;
    if (flaw === undefined) return [quote];
    return flaw === "misattributed_quote" ? [checkQuote(quote, speech.answer, context).quote] : [];
  });
  const kept = { ...speech, quotes, short_answer: isShortStruck ? null : speech.short_answer };
  const why = problems.find(({ code }) => code === unquoted || code === noAnswer);
  if (!why) return kept;
  const note = why.code === unquoted ? "no quote of it stands" : "it does not decide";
  const reasoning = `Not counted, since ${note}: “${speech.answer ?? ""}”. ${speech.reasoning}`;
  return { ...kept, reasoning, answer: null, short_answer: null, confidence: 0 };
}

/** A judge must follow a given answer and agree with it: no judge has an answer of its own (question spec §4.2). */
export function checkJudgement(
  { winner, answer }: Judgement,
  question: Question,
  speeches: readonly Said[],
  isBound: boolean,
): Problem[] {
  if (winner === null && answer === null) return [];
  if (winner === null)
    return [reject("unfollowed_answer", "name the answer that you follow by its number, or answer null", "winner")];
  const followed = speeches[winner - 1];
  if (!followed)
    return [reject("unknown_answer", `there is no answer ${winner}, only 1 to ${speeches.length}`, "winner")];
  if (answer === null) return [reject("other_answer", `give what answer ${winner} says, or null for both`, "answer")];
  if (followed.answer === null || followed.canonical === null)
    return [
      reject("unknown_answer", `answer ${winner} gives no answer that counts; follow another one, or null`, "winner"),
    ];
  if (!saysTheSame(answer, followed, speeches, question)) {
    const message = `answer ${winner} says “${followed.answer}”, not “${answer}”; follow it, another one, or null`;
    return [reject("other_answer", message, "answer")];
  }
  const message = "answer from the documents only: follow an answer that quotes them, or give null";
  return isBound && followed.quotes.length === 0 ? [reject(unquoted, message, "winner")] : [];
}

/** True when a judge says what the followed speaker says: the same by rule, or in other words without anything of another answer. */
function saysTheSame(answer: string, followed: Said, speeches: readonly Said[], question: Question): boolean {
  const said = [followed.answer ?? "", followed.short_answer ?? followed.answer ?? ""];
  const verdicts = said.map((one) => compareFor(question, one, answer).verdict);
  if (verdicts.includes("same")) return true;
  const [own, known] = [listTerms(answer), new Set(listTerms(said.join(" ")))];
  const others = speeches.filter(({ canonical }) => canonical !== followed.canonical);
  const isAnothers = others.some((speech) => {
    return listTerms(speech.answer ?? "").some((term) => own.includes(term) && !known.has(term));
  });
  return !verdicts.includes("different") && !isAnothers && own.some((term) => known.has(term));
}

/** Each answer must be in exactly one group, and no group may join answers that certainly differ or share no word (question spec §4.2). */
export function checkGroups(
  { groups }: SameAnswers,
  { question, answers }: { question: Question; answers: string[] },
): Problem[] {
  const given = groups.flat().toSorted((a, b) => a - b);
  if (given.join() !== answers.map((_, index) => index + 1).join()) {
    const message = `each of the answers 1 to ${answers.length} must be in exactly one group`;
    return [reject("bad_groups", message, "groups")];
  }
  return groups.flatMap((group, place) => {
    const why = findApart(group, answers, question);
    return why === null ? [] : [strike("known_different", why, "groups", place)];
  });
}

/** Words that specify a kind: after a preposition ("corrosion by salt") or before a shared word ("salt corrosion"). */
function listModifiers(text: string, shared: readonly string[]): string[] {
  const words = splitWords(text);
  return words.filter((word, at) => {
    const term = termOf(word);
    if (term === null || shared.includes(term)) return false;
    const before = words.slice(0, at).findLast((one) => !articles.has(one)) ?? "";
    return prepositions.has(before) || shared.includes(termOf(words[at + 1] ?? "") ?? "");
  });
}

const articles = new Set(["the", "a", "an"]);
const prepositions = new Set("by of from through with in on at under to for dari oleh karena di".split(" "));

/** Why two answers of a group do not say the same; null if nothing shows it. */
function findApart(group: number[], answers: string[], question: Question): string | null {
  const asked = listTerms(question.question);
  const listOwn = (text: string): string[] => listTerms(text).filter((term) => !asked.includes(term));
  const explain = (one: string, other: string): string | null => {
    const { verdict, reason } = compareFor(question, one, other);
    if (verdict === "different") return reason;
    if (verdict === "same" || isOtherScript(one, other)) return null;
    const shared = listOwn(one).filter((term) => listOwn(other).includes(term));
    if (shared.length === 0) return "they share no word";
    const [ours, theirs] = [listModifiers(one, shared), listModifiers(other, shared)];
    return ours.length > 0 && theirs.length > 0 ? `one says ${ours.join(", ")}, the other ${theirs.join(", ")}` : null;
  };
  const pairs = group.flatMap((a, index) => group.slice(index + 1).map((b) => [a, b] as const));
  const found = pairs.flatMap(([a, b]) => {
    const why = explain(answers[a - 1] ?? "", answers[b - 1] ?? "");
    return why === null ? [] : [`answers ${a} and ${b} do not say the same: ${why}`];
  });
  return found[0] ?? null;
}

/** Splits groups that join differing answers; the others stay. */
export function splitGroups({ reasoning, groups }: SameAnswers, problems: Problem[]): SameAnswers {
  const isApart = (place: number): boolean => problems.some(({ path }) => path?.[0] === "groups" && path[1] === place);
  return {
    reasoning,
    groups: groups.flatMap((group, place) => (isApart(place) ? group.map((one) => [one]) : [group])),
  };
}

/** The speeches of the last round, which a judge may follow. */
export function lastSpeeches(history: readonly Round[]): readonly Said[] {
  return history.at(-1)?.speeches ?? [];
}
