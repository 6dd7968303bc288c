import { dice } from "../../../text/similar.ts";
import { remember, stemEnglish } from "../../../text/search.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";
import type { Language, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim } from "../schemas/messages.ts";
import { listWords, matchWord, word } from "../words/word.ts";

const indexes = new WeakMap<Material, Map<string, MaterialItem>>();

export function findItem(material: Material, id: string): MaterialItem | null {
  let index = indexes.get(material);
  if (!index) {
    const names = (item: MaterialItem): string[] => [item.title, item.title_en, ...item.aliases, item.id];
    index = new Map(material.evidence.flatMap((item) => names(item).map((name) => [writeKey(name), item] as const)));
    indexes.set(material, index);
  }
  return index.get(writeKey(id)) ?? null;
}

function writeKey(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:|()/-]+/gu, " ")
    .trim();
  const [, article, law] = /^((?:pasal|art|article) \S+) (.+)$/u.exec(plain) ?? [];
  return law === undefined ? plain : `${law} ${article ?? ""}`;
}

export function resolveIds(material: Material, ids: string[]): string[] {
  return [...new Set(ids.map((id) => findItem(material, id)?.id ?? id))];
}

export function titleOf(item: MaterialItem, language: Language): string {
  return language === "en" ? item.title_en : item.title;
}

export function citeTitle(item: MaterialItem, language: Language): string {
  const title = titleOf(item, language).replaceAll(/\s*\((?!\d+\))[^)]*\)/gu, "");
  return item.kind === "norm" ? title.replace(/:.*$/u, "") : title;
}

export function sourceOf({ source }: MaterialItem, language: Language): string {
  return source ?? word(language, "say.no_source");
}

export function scopeOf({ scope, scope_en }: MaterialItem, language: Language): string | null {
  return language === "en" ? scope_en : scope;
}

/** True when an item binds only some people and the question does not say that they are meant. */
export function isScopeUnstated({ regime, kind }: MaterialItem, { frame }: Material): boolean {
  return (regime === "civil_code" || regime === "islamic") && kind !== "kg" && !frame.regimes.includes(regime);
}

export function statementOf(item: MaterialItem, language: Language): string {
  return language === "en" ? item.statement_en : item.statement;
}

/** Words of every legal text: sharing them shows nothing. */
const joining = new Set(listWords("joining"));

/** The content words of a text, each by its stems in both languages. */
const listContent = remember(1_000, (text: string): string[][] =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)]
    .map(([token]) => (joining.has(token) ? [] : [...stemTokens(token), stemEnglish(token)]))
    .map((stems) => stems.filter((stem) => !joining.has(stem)))
    .filter((stems) => stems.length > 0),
);

const termsOf = remember(1_000, (text: string): ReadonlySet<string> => new Set(listContent(text).flat()));

const minShared = 2;
const minShare = 0.2;

/** True when two texts share two content words, and a fifth of the shorter one's (law spec §4.1). */
export function bearsOn(text: string, others: string[]): boolean {
  const about = termsOf(text);
  return others.some((other) => {
    const words = termsOf(other);
    const shared = about.intersection(words).size;
    return shared >= minShared && shared >= minShare * Math.min(about.size, words.size);
  });
}

const mostlySaid = 0.5;
const nearlySaid = 0.8;

/** True when a source says two content words of a clause, and with the question half; where the question has all, nearly all. */
export function isSaidBy(clause: string, texts: string[], query: string): boolean {
  const [all, said] = [listContent(clause).length, countSaid(clause, texts)];
  if (countSaid(clause, [query]) === all) return said >= minShared && said >= nearlySaid * all;
  return said >= minShared && countSaid(clause, [...texts, query]) >= mostlySaid * all;
}

/** How many content words of a clause are in these texts. */
export function countSaid(clause: string, texts: string[]): number {
  const content = listContent(clause);
  return content.length - listStrange(content, texts).length;
}

function listStrange(content: string[][], texts: string[]): string[][] {
  const known = termsOf(texts.join(" "));
  return content.filter((stems) => !stems.some((stem) => known.has(stem)));
}

/** The clauses of a text; by default those that say enough to be compared by themselves. */
export function listClauses(text: string, least = minShared + 1): string[] {
  return text.split(/[,;:.!?](?:\s+|$)|\s(?:dan|and)\s/u).filter((one) => listContent(one).length >= least);
}

/** True when each clause of a sentence passes, or the sentence if no clause says enough. */
export function everyClause(sentence: string, test: (clause: string) => boolean): boolean {
  const clauses = listClauses(sentence);
  return (clauses.length > 0 ? clauses : [sentence]).every(test);
}

/** True when a clause negates something and its source nothing. */
export function addsDenial(clause: string, { statement, statement_en }: MaterialItem): boolean {
  return negation.test(clause) && !negation.test(`${statement} ${statement_en}`);
}

const nameOf = ({ regime, community }: MaterialItem): string =>
  [word("id", `regime.${regime}`, { community: community ?? "" }), word("en", `regime.${regime}`)].join(" ");
const textOf = ({ title, title_en, statement, statement_en }: MaterialItem): string =>
  [title, title_en, statement, statement_en].join(" ");

/** True when a clause names another law than its sources', or has two words that a source of another law has and they do not. */
export function mixesLaws(clause: string, own: MaterialItem[], others: MaterialItem[]): boolean {
  const strange = listStrange(
    listContent(clause),
    own.flatMap((item) => [nameOf(item), textOf(item)]),
  );
  const count = (text: string): number => strange.length - listStrange(strange, [text]).length;
  return others.some((other) => count(nameOf(other)) > 0 || count(textOf(other)) >= minShared);
}

/** True when a clause of a claim speaks the language that the question does not: its sources' other text has more of its words. */
export function isInOtherLanguage({ statement, evidence }: Pick<Claim, "statement" | "evidence">, material: Material) {
  const items = evidence.flatMap((id) => findItem(material, id) ?? []);
  const textsIn = (language: Language): string[] => items.map((item) => statementOf(item, language));
  const [own, others] = [textsIn(material.language), textsIn(material.language === "en" ? "id" : "en")];
  return !everyClause(statement, (clause) => countSaid(clause, others) <= Math.max(1, countSaid(clause, own)));
}

const mostOwn = 0.25;

/** True when a clause names a law and says of it, in more than a quarter of its words, what neither the sources nor the question say. */
export function oversteps(clause: string, items: MaterialItem[], query: string): boolean {
  const content = listContent(clause);
  const isNamed = listStrange(content, items.map(nameOf)).length < content.length;
  const strange = listStrange(content, [query, ...items.flatMap((item) => [nameOf(item), textOf(item)])]);
  return isNamed && strange.length > mostOwn * content.length;
}

const copied = 0.6;

/** True when a clause nearly copies one of its sources, but for a word that neither they nor the question have. */
export function altersCopy(statement: string, sources: string[], query: string): boolean {
  const clauses = sources.flatMap(splitClauses);
  return splitClauses(statement).some((clause) => {
    const content = listContent(clause);
    if (listStrange(content, [query, ...sources]).length === 0) return false;
    return clauses.some((source) => {
      const shared = countSaid(clause, [source]);
      return shared > minShared && shared >= copied * Math.max(content.length, listContent(source).length);
    });
  });
}

/** True when a text has a content word of its own. */
export function addsWords(text: string, other: string): boolean {
  return termsOf(text).difference(termsOf(other)).size > 0;
}

/** True when two texts have the same content words and figures, and both or neither deny something. */
export function hasSameWords(a: string, b: string): boolean {
  const figures = (text: string): string => JSON.stringify([...new Set(text.match(/\d+/gu))].toSorted());
  return !addsWords(a, b) && !addsWords(b, a) && negation.test(a) === negation.test(b) && figures(a) === figures(b);
}

/** True when a text matches something only these texts say. */
export function singlesOut(text: string, own: string[], others: string[]): boolean {
  const [said, shared] = [termsOf(text), termsOf(others.join(" "))];
  return termsOf(own.join(" ")).difference(shared).intersection(said).size >= minShared;
}

export function itemBearsOn(material: Material, id: string, said: string[]): boolean {
  const item = findItem(material, id);
  return item !== null && (bearsOn(item.statement, said) || bearsOn(item.statement_en, said));
}

const denial = matchWord("denials");
const exception = matchWord("exceptions");
const condition = matchWord("conditions");
const prohibition = matchWord("prohibitions");
const aligned = 0.6;

type Denials = Map<string, boolean | null>;

/** Content words, each with whether it is negated ("tidak boleh dijual" negates the sale); null if it is both. */
function readDenials(text: string): Denials {
  const words: Denials = new Map();
  let isDenied = false;
  for (const [token] of text.toLowerCase().matchAll(/[\p{L}\p{N}']+|,/gu)) {
    const denies = denial.test(token) || token.endsWith("n't");
    const isContent = token.length > 3 && !joining.has(token) && !denies;
    const stem = stemEnglish(stemTokens(token)[0] ?? token);
    if (isContent) words.set(stem, (words.get(stem) ?? isDenied) === isDenied ? isDenied : null);
    isDenied = denies || (isDenied && !isContent && token !== ",");
  }
  return words;
}

function splitClauses(text: string): string[] {
  return text.split(/[.;:!?](?:\s+|$)/u).flatMap((one) => [one, ...one.split(/\s(?:dan|and)\s/u)]);
}

const readClauses = remember(500, (text): Denials[][] =>
  splitClauses(text)
    .filter((one) => !condition.test(one))
    .map((one) => one.split(exception).map(readDenials)),
);

/** True when a claim negates a clause of its source or the reverse: the same words, with an odd number negated in only one. */
export function deniesSource(
  { statement, evidence }: Pick<Claim, "statement" | "evidence">,
  material: Material,
): boolean {
  const sources = evidence
    .flatMap((id) => findItem(material, id) ?? [])
    .flatMap((item) => [...readClauses(item.statement), ...readClauses(item.statement_en)]);
  return readClauses(statement).some(([said = new Map<string, null>()]) => {
    const terms = [...said.keys()];
    const turned = sources.flatMap(([main = new Map<string, null>(), excepted]) => {
      const shared = terms.filter((term) => main.has(term));
      const isApart = terms.some((term) => excepted?.has(term) && !main.has(term));
      if (isApart || shared.length <= minShared || shared.length < aligned * Math.min(said.size, main.size)) return [];
      return [
        shared.filter((term) => (said.get(term) ?? main.get(term)) !== (main.get(term) ?? said.get(term))).length,
      ];
    });
    return turned.length > 0 && turned.every((count) => count % 2 === 1);
  });
}

const alike = 0.7;

/** The stance of a statement on the question; null unless the clauses that cover nearly all of it agree. */
export function readStance(asked: string, statement: string): "yes" | "no" | "it_depends" | null {
  const wanted = readDenials(asked);
  if (condition.test(asked) || [...wanted.values()].some((isDenied) => isDenied !== false)) return null;
  const stances = splitClauses(statement).flatMap((clause) => {
    const said = readDenials(clause);
    const shared = [...wanted.keys()].filter((term) => said.has(term));
    if (shared.length < minShared || shared.length < alike * wanted.size) return [];
    if (condition.test(clause) || exception.test(clause)) return ["it_depends" as const];
    const isDenied = shared.some((term) => said.get(term) !== false) || prohibition.test(clause);
    return [isDenied ? ("no" as const) : ("yes" as const)];
  });
  return new Set(stances).size === 1 ? (stances[0] ?? null) : null;
}

const same = 0.9;
const negation = matchWord("denials", "lacks");
const negations = new RegExp(negation, "giu");

function writeStance(statement: string): string {
  return JSON.stringify([(statement.match(negations) ?? []).length, (statement.match(/\d+/g) ?? []).toSorted()]);
}

export function isSameClaim(
  { statement: a }: Pick<Claim, "statement">,
  { statement: b }: Pick<Claim, "statement">,
  padded = false,
): boolean {
  if (writeStance(a) !== writeStance(b)) return false;
  const [left, right] = [stemTokens(a), stemTokens(b)];
  if (dice(left, right, 1) >= same) return true;
  const [short, long] = [new Set(left), new Set(right)].toSorted((x, y) => x.size - y.size) as [
    Set<string>,
    Set<string>,
  ];
  return padded && short.size >= long.size / 2 && short.intersection(long).size >= same * short.size;
}
