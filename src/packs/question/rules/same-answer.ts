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
  const compared =
    compareOpposites(one, other) ??
    compareConditions(one, other) ??
    compareValues(dropAsked(one.values, asked.values), dropAsked(other.values, asked.values)) ??
    compareStances(one, other, asked) ??
    compareWords(one, other, asked, question);
  if (compared.verdict !== "same") return compared;
  if (differInCase(a, b)) return unsure("the units differ in a capital letter");
  if (asked.joint !== null && !hasSameWords(one.words, other.words))
    return unsure("they pick other words of the question");
  return differInRelations(a, b) ? unsure("the small words differ") : compared;
}

/** One letter of a unit is a capital in one only: "100 MB", "100 Mb". */
function differInCase(a: string, b: string): boolean {
  const [ours, theirs] = [a, b].map((text) => text.match(/(?<=\d\s?)\p{L}{2,3}(?!\p{L})/gu) ?? []);
  return (ours ?? []).some((one) =>
    (theirs ?? []).some((other) => {
      const same = one.split("").filter((letter, at) => letter === other[at]).length;
      return one.toLowerCase() === other.toLowerCase() && same > 0 && same < one.length;
    }),
  );
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
  /** A capitalised first name and what follows it, when the answer is a name of two words or more. */
  person: { first: string; others: string } | null;
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
  const [, first = "", others] = /^\s*(\p{Lu}\p{Ll}+)((?:\s+\p{Lu}\p{Ll}+)+)\W*$/u.exec(answer) ?? [];
  return {
    poles: listPoles(answer),
    person: others === undefined ? null : { first, others },
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

function listItems({ rest }: Parts): string[] {
  return rest.split(listMarks).map(sayItem).filter(Boolean);
}

function sayItem(text: string): string {
  return splitTokens(text)
    .filter(isContent)
    .map(({ stem }) => stem)
    .join(" ");
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

function compareOpposites(a: Parts, b: Parts): Sameness | null {
  if (a.poles.some((pole) => b.poles.includes(-pole))) return different("one says the opposite of the other");
  const isNamesake = a.person && a.person.others === b.person?.others && a.person.first !== b.person.first;
  return isNamesake ? different("another first name") : null;
}

/** "yes" is not "yes, but only with…", "if signed" is not "unless signed". */
function compareConditions(a: Parts, b: Parts): Sameness | null {
  const differing = [
    ...a.conditions.filter((kind) => !b.conditions.includes(kind)),
    ...b.conditions.filter((kind) => !a.conditions.includes(kind)),
  ];
  if (differing.length === 0) return null;
  return shareHalf(a.words, b.words)
    ? different(`a condition (${differing.join(", ")}) that the other does not make`)
    : unsure("one makes a condition");
}

function dropAsked(values: Value[], asked: Value[]): Value[] {
  const own = values.filter((value) => !asked.some((one) => isSameValue(one, value)));
  return own.length === 0 ? values : own;
}

function compareValues(a: Value[], b: Value[]): Sameness | null {
  if (a.length === 0 || b.length === 0) return null;
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const isIn = few.every((value) => many.some((one) => isSameValue(one, value)));
  const isEach = many.every((value) => few.some((one) => isSameValue(one, value)));
  if (isIn && few.length === many.length && isEach) {
    const isOrdered = few.every((value, at) => isSameValue(value, many[at] as Value));
    return isOrdered ? null : unsure("the values stand in another order");
  }
  if (isIn) return unsure("one gives more values");
  const exact = ({ bound, ...value }: Value): Value => ({ ...value, bound: bound === "~" ? null : bound });
  const isRoughly = few.every((value) => many.some((one) => isSameValue(exact(one), exact(value))));
  return isRoughly ? unsure("one gives the value roughly") : different("another value");
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
  const [one, other] = isBare && !hasValues ? [a.words, b.words] : [listNew(a, asked), listNew(b, asked)];
  if (hasValues && (one.length === 0 || other.length === 0))
    return one.length + other.length > 0 ? unsure("one says more than the value") : same("the same value");
  if (hasSameWords(one, other) && one.length > 0) return compareOrder(a, b);
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

/** The same words in another order: only a list and "X is Y" surely agree. */
function compareOrder(a: Parts, b: Parts): Sameness {
  if (a.joint !== b.joint && (a.joint === "or" || b.joint === "or")) return different('one says "or", the other "and"');
  const [short, long] = [a.words, b.words].toSorted((x, y) => x.length - y.length) as [string[], string[]];
  if (long.join(" ").includes(short.join(" "))) return same("the same words");
  if (a.joint !== null && a.joint === b.joint && hasSameWords(listItems(a), listItems(b))) return same("the same list");
  const [one, other] = [splitSides(a.tokens), splitSides(b.tokens)];
  if (one && other && hasSameWords(one[0], other[1]) && hasSameWords(one[1], other[0]))
    return same("the same, said the other way round");
  return unsure("another order");
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
  const hasLetters = words.some((word) => /^[B-HJ-Z]$/.test(word));
  return words.flatMap((word): Token[] => {
    const lower = word.toLowerCase();
    // A single capital letter is a name next to others ("A sold it to B"), and so is a numeral after a name.
    if (/^[A-Z]$/.test(word) && (hasLetters || word !== "A")) return [{ key: word, stem: word }];
    const denied = answerWords.denied.get(lower);
    const isDenied = denied !== undefined || /^(?:없|불가능)/.test(lower);
    const token = stemToken(denied ?? answerWords.same.get(lower) ?? lower);
    return isDenied ? [{ key: "not", stem: "not" }, token] : [token];
  });
}

const stemToken = remember(1024, (word: string): Token => {
  if (!isKorean(word)) return { key: word, stem: stemEnglish(word.replace(/(?<=\p{L}{4})nya$/u, "")) };
  if (/않|^아니|^아닙/.test(word)) return { key: "not", stem: "not" };
  const base = stemKorean(word)
    .replace(/^없.*/, "있")
    .replace(/^불가능/, "가능");
  return { key: base, stem: base };
});

function isContent({ key }: Token): boolean {
  return !answerWords.function.has(key) && !answerWords.denials.has(key);
}

/** Both sides of "is", if there is no other verb. */
function splitSides(tokens: Token[]): [string[], string[]] | null {
  const at = tokens.findIndex(({ key }) => answerWords.copula.has(key));
  if (at < 1) return null;
  const words = (part: Token[]): string[] => part.filter(isContent).map(({ stem }) => stem);
  const sides: [string[], string[]] = [words(tokens.slice(0, at)), words(tokens.slice(at + 1))];
  return sides.every((side) => side.length > 0) ? sides : null;
}

const same = (reason: string): Sameness => ({ verdict: "same", reason });
const different = (reason: string): Sameness => ({ verdict: "different", reason });
const unsure = (reason: string): Sameness => ({ verdict: "unsure", reason });
