import { remember, isKorean, stemEnglish, stemKorean } from "../../../text/search.ts";
import { isSameValue, readValues, type Value } from "../../../text/values.ts";
import { answerWords } from "./words.ts";

/** The comparison of two answers, with the reason; `unsure` when the rules cannot tell. */
export type Sameness = { verdict: "same" | "different" | "unsure"; reason: string };

/**
 * Compares two answers: conditions, values with units and bounds, yes or no, negations and names exactly, wording
 * loosely. Never takes different answers for the same: in doubt it is unsure (question spec §5.2).
 */
export function compareAnswers(a: string, b: string, question = ""): Sameness {
  if (a.trim() === b.trim()) return same("word for word");
  const [one, other, asked] = [readParts(a), readParts(b), readParts(question)];
  if (one.poles.some((pole) => other.poles.includes(-pole))) return different("one says the opposite of the other");
  const compared =
    compareConditions(one, other) ??
    compareValues(one, other) ??
    compareStances(one, other, asked) ??
    compareWords(one, other, asked, question);
  if (compared.verdict !== "same") return compared;
  if (differInCase(a, b)) return unsure("the units differ in a capital letter");
  if (asked.joint !== null && !hasSameWords(one.words, other.words))
    return unsure("they pick other words of the question");
  return differInRelations(a, b) ? unsure("the small words differ") : compared;
}

/** Units that differ in their capitals only: "100 MB", "100 Mb". */
function differInCase(a: string, b: string): boolean {
  const [ours = [], theirs = []] = [a, b].map((text): string[] => text.match(/(?<=\d\s?)\p{L}*\p{Lu}\p{L}*/gu) ?? []);
  return ours.some((one) => theirs.some((other) => one !== other && one.toLowerCase() === other.toLowerCase()));
}

/** True when both have relational words, but different ones: "in two weeks", "for two weeks". */
function differInRelations(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => {
    return [...new Set(spell(text).toLowerCase().match(answerWords.relations))].toSorted().join();
  });
  return one !== "" && other !== "" && one !== other;
}

export function isSameAnswer(a: string, b: string, question = ""): boolean {
  return compareAnswers(a, b, question).verdict === "same";
}

type Parts = {
  /** The sides of opposites it names. */
  poles: number[];
  stance: "yes" | "no" | null;
  conditions: string[];
  values: Value[];
  denies: boolean;
  tokens: Token[];
  words: string[];
  joint: "and" | "or" | null;
  rest: string;
  /** Capitalised words only. */
  isName: boolean;
};

const readParts = remember(128, (answer: string): Parts => {
  const text = spell(answer);
  const numbered = text.replaceAll(answerWords.named, (_, thing: string, number: string) => {
    return `${thing} n${number.replace(/\.$/, "").replaceAll(".", "point")}`;
  });
  const { values, rest } = readValues(numbered);
  const stance = answerWords.yes.test(text) ? "yes" : answerWords.no.test(text) ? "no" : null;
  const tokens = splitTokens(stance === null ? rest : rest.replace(answerWords[stance], " "));
  const denials = tokens.filter(({ key }) => answerWords.denials.has(key)).length;
  return {
    poles: listPoles(rest),
    stance,
    conditions: [
      ...new Set(answerWords.conditions.filter(({ pattern }) => pattern.test(rest)).map(({ kind }) => kind)),
    ],
    values,
    denies: denials % 2 === 1,
    tokens,
    words: tokens.filter(isContent).map(({ stem }) => stem),
    joint: answerWords.or.test(rest) ? "or" : answerWords.and.test(rest) || /,/.test(rest) ? "and" : null,
    isName: /^(?:\p{Lu}[\p{L}.'-]*\s*)+$/u.test(answer.trim()),
    rest,
  };
});

const listMarks = new RegExp(`,|${answerWords.and.source}|${answerWords.or.source}`, "iu");

/** The parts of a list, or the sides of "X is Y", without the words of the question that are `known`. */
function listItems({ rest, joint, tokens }: Parts, known: readonly string[] = []): string[] {
  const at = tokens.findIndex(({ key }) => answerWords.copula.has(key));
  const pieces =
    joint === null ? [tokens.slice(0, Math.max(0, at)), tokens.slice(at + 1)] : rest.split(listMarks).map(splitTokens);
  const say = (piece: Token[]): string[] =>
    piece.filter(isContent).flatMap(({ stem }) => (known.includes(stem) ? [] : [stem]));
  return pieces.map((piece) => say(piece).join(" ")).filter(Boolean);
}

/** The sides of opposites that a word names: 3 is one side of the third pair, -3 the other. */
const polesOf = remember(512, (word: string): number[] =>
  answerWords.opposites.flatMap(([one, other], at) => [
    ...(one.test(word) ? [at + 1] : []),
    ...(other.test(word) ? [-at - 1] : []),
  ]),
);

/** The sides an answer names; none of a pair of which it names both. */
function listPoles(answer: string): number[] {
  const named = new Set((answer.match(answerWords.poles) ?? []).flatMap((word) => polesOf(word.toLowerCase())));
  return [...named].filter((pole) => !named.has(-pole));
}

/** "yes" is not "yes, but only with…", "if signed" is not "unless signed". */
function compareConditions(a: Parts, b: Parts): Sameness | null {
  const differing = [...new Set(a.conditions).symmetricDifference(new Set(b.conditions))];
  if (differing.length === 0) return null;
  return shareHalf(a.words, b.words)
    ? different(`a condition (${differing.join(", ")}) that the other does not make`)
    : unsure("one makes a condition");
}

function compareValues({ values: a, ...one }: Parts, { values: b, ...other }: Parts): Sameness | null {
  if (a.length === 0 || b.length === 0) return null;
  if (a.length === b.length && a.every((value, at) => isSameValue(value, b[at] as Value))) return null;
  const exact = ({ bound, ...value }: Value): Value => ({ ...value, bound: bound === "~" ? null : bound });
  const isIn = (few: Value[], many: Value[], form = (value: Value): Value => value): boolean =>
    few.every((value) => many.some((two) => isSameValue(form(value), form(two))));
  if (isIn(a, b) && isIn(b, a) && [one, other].every(({ rest }) => isOnlyList(rest))) return same("the same list");
  if (isIn(a, b) || isIn(b, a)) return unsure("one gives more values, or in another order");
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  return isIn(few, many, exact) ? unsure("one gives the value roughly") : different("another value");
}

/** True when nothing but commas and "and" stands between values. */
function isOnlyList(rest: string): boolean {
  return (
    /[,\p{L}]/u.test(rest) && rest.split(new RegExp(`[\\s,.]|${answerWords.and.source}`, "iu")).every((part) => !part)
  );
}

/** Yes and no: said outright, or by a clause that only repeats the question ("It does not"). */
function compareStances(a: Parts, b: Parts, asked: Parts): Sameness | null {
  if (a.stance === null && b.stance === null) return null;
  const [one, other] = [stanceOf(a, asked), stanceOf(b, asked)];
  if (one === null || other === null) return unsure("only one says yes or no");
  if (one !== other) return different("one says yes, the other no");
  return hasSameWords(listNew(a, asked), listNew(b, asked))
    ? same(`both say ${one}`)
    : unsure(`both say ${one}, but one adds something`);
}

function listNew({ words }: Parts, asked: Parts): string[] {
  return words.filter((word) => !asked.words.includes(word));
}

function stanceOf(parts: Parts, asked: Parts): "yes" | "no" | null {
  if (parts.stance !== null) return parts.stance;
  if (listNew(parts, asked).length > 0 || parts.values.length > 0 || asked.words.length === 0) return null;
  return parts.denies === asked.denies ? "yes" : "no";
}

function compareWords(a: Parts, b: Parts, asked: Parts, question: string): Sameness {
  if (a.denies !== b.denies)
    return shareHalf(a.words, b.words) ? different("one denies what the other says") : unsure("one denies something");
  const isBare = listNew(a, asked).length === 0 && listNew(b, asked).length === 0;
  const hasValues = a.values.length > 0 && b.values.length > 0;
  const known = isBare && !hasValues ? [] : asked.words;
  const [one, other] = [a, b].map(({ words }) => words.filter((word) => !known.includes(word))) as [string[], string[]];
  if (hasValues && (one.length === 0 || other.length === 0))
    return one.length + other.length > 0 ? unsure("one says more than the value") : same("the same value");
  if (hasSameWords(one, other) && one.length > 0) {
    if (a.joint !== b.joint && (a.joint === "or" || b.joint === "or"))
      return different('one says "or", the other "and"');
    if (one.join(" ") === other.join(" ")) return same("the same words");
    const isSaid = !a.denies && hasSameWords(listItems(a, known), listItems(b, known));
    return isSaid ? same("the same list, or the same sides of “is”") : unsure("another order");
  }
  if (isBare && pickApart(a, b, asked)) return different("two alternatives of the question");
  if (a.isName && b.isName && isLastName(one, other) && answerWords.person.test(question))
    return same("the same last name");
  return unsure("worded otherwise");
}

/** True when what each answer says beyond the other stands in alternatives of the question that the other does not name. */
function pickApart(a: Parts, b: Parts, asked: Parts): boolean {
  if (asked.joint !== "or") return false;
  const alternatives = listItems(asked).map((item) => item.split(" "));
  const pick = ({ words }: Parts, { words: others }: Parts): number[] => {
    const own = words.filter((word) => !others.includes(word));
    return [...alternatives.keys()].filter((at) => own.some((word) => alternatives[at]?.includes(word)));
  };
  const [one, other] = [pick(a, b), pick(b, a)];
  return one.length > 0 && other.length > 0 && !one.some((at) => other.includes(at));
}

function shareHalf(a: string[], b: string[]): boolean {
  return a.filter((word) => b.includes(word)).length * 2 >= Math.min(a.length, b.length);
}

function hasSameWords(a: string[], b: string[]): boolean {
  return a.every((word) => b.includes(word)) && b.every((word) => a.includes(word));
}

function isLastName(a: string[], b: string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length > 0 && long.length <= 3 && long.slice(-short.length).join(" ") === short.join(" ");
}

type Token = { key: string; stem: string };

/** Expands contractions; "failed to" becomes "not", "no one" one word. */
function spell(answer: string): string {
  return answer
    .normalize("NFKC")
    .trim()
    .replaceAll("’", "'")
    .replaceAll(/\bcan't\b|\bcannot\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/n't\b/gi, " not")
    .replaceAll(/'(?:s|re|ve|ll|d|m)\b/gi, " ")
    .replaceAll(/\bno one\b/gi, "nobody")
    .replaceAll(/\bnon-(?=\p{L})/giu, "non ")
    .replaceAll(answerWords.failures, "not");
}

function splitTokens(text: string): Token[] {
  const words: string[] = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word): Token[] => {
    const lower = word.toLowerCase();
    const denied = answerWords.denied.get(lower);
    const isDenied = denied !== undefined || /^(?:없|불가능)/.test(lower);
    const token = stemToken(denied ?? answerWords.same.get(lower) ?? lower);
    return isDenied ? [{ key: "not", stem: "not" }, token] : [token];
  });
}

const stemToken = remember(1024, (word: string): Token => {
  if (!isKorean(word)) return { key: word, stem: stemEnglish(word) };
  if (/않|^아니|^아닙/.test(word)) return { key: "not", stem: "not" };
  const base = stemKorean(word)
    .replace(/^없.*/, "있")
    .replace(/^불가능/, "가능");
  return { key: base, stem: base };
});

function isContent({ key }: Token): boolean {
  return !answerWords.function.has(key) && !answerWords.denials.has(key);
}

const same = (reason: string): Sameness => ({ verdict: "same", reason });
const different = (reason: string): Sameness => ({ verdict: "different", reason });
const unsure = (reason: string): Sameness => ({ verdict: "unsure", reason });
