import type { Problem } from "../../../contract/turn.ts";
import { listTerms, splitWords, termOf } from "../../../text/search.ts";
import { readValues, isSameValue } from "../../../text/values.ts";
import { answerTypeOf, choicesOf, type Question } from "../schemas/case.ts";
import type { Judgement, Round, SameAnswers, Said, Speech } from "../schemas/debate.ts";
import { compareFor, isNoAnswer, normaliseAnswer } from "./answer.ts";
import { checkQuote, isOtherScript, type QuoteContext } from "./quotes.ts";
import { answerWords } from "./words.ts";

const noAnswer = "no_answer_given";
const unquoted = "unquoted_answer";

const strike = (code: string, message: string, ...path: (string | number)[]): Problem => ({
  code,
  message,
  severity: "salvage",
  path,
});
const reject = (code: string, message: string, ...path: string[]): Problem => ({
  code,
  message,
  severity: "reject",
  path,
});

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
  const [own, said] = [readValues(short), readValues(answer)];
  const known = listTerms(`${answer} ${question}`);
  const words = listTerms(own.rest);
  // "Grade" leaves out part of "a wrong grade of steel".
  const addedTerms = listTerms(said.rest).filter((term) => !listTerms(question).includes(term));
  const isGutted =
    own.values.length === 0 &&
    addedTerms.length <= mostAdded &&
    addedTerms.filter((term) => words.includes(term)).length * 2 < addedTerms.length;
  const hasValues = own.values.every((value) =>
    said.values.some((one) => isSameValue({ ...one, bound: null }, { ...value, bound: null })),
  );
  return (
    isOtherScript(short, answer) ||
    (hasValues && !isGutted && words.filter((word) => known.includes(word)).length * 2 >= words.length)
  );
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
  const flawed = (index: number): string | null =>
    problems.find(({ path }) => path?.[0] === "quotes" && path[1] === index)?.code ?? null;
  const isShortStruck = problems.some(({ path }) => path?.[0] === "short_answer");
  const quotes = speech.quotes.flatMap((quote, index) => {
    const flaw = flawed(index);
    if (flaw === null) return [quote];
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
  const known = listTerms(said.join(" "));
  const added = listTerms(answer).filter((term) => !known.includes(term));
  const isAnothers = speeches.some(
    (speech) =>
      speech.canonical !== followed.canonical &&
      speech.answer !== null &&
      (compareFor(question, speech.short_answer ?? speech.answer, answer).verdict === "same" ||
        listTerms(speech.answer).some((term) => added.includes(term))),
  );
  const sharesWord = listTerms(answer).some((term) => known.includes(term));
  return !verdicts.includes("different") && !isAnothers && sharesWord;
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
  for (const [index, a] of group.entries())
    for (const b of group.slice(index + 1)) {
      const [one, other] = [answers[a - 1] ?? "", answers[b - 1] ?? ""];
      const { verdict, reason } = compareFor(question, one, other);
      const apart = `answers ${a} and ${b} do not say the same: `;
      if (verdict === "different") return apart + reason;
      if (verdict === "same" || isOtherScript(one, other)) continue;
      const shared = listOwn(one).filter((term) => listOwn(other).includes(term));
      if (shared.length === 0) return `${apart}they share no word`;
      const [ours, theirs] = [listModifiers(one, shared), listModifiers(other, shared)];
      if (ours.length > 0 && theirs.length > 0)
        return `${apart}one says ${ours.join(", ")}, the other ${theirs.join(", ")}`;
    }
  return null;
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
