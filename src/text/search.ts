import { readFileSync } from "node:fs";

const lists = JSON.parse(readFileSync(new URL("../../data/text/stop-words.json", import.meta.url), "utf8")) as object;
const stopWords = new Set(Object.values(lists).flatMap((list: string) => list.split(" ")));

export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** The form in which a word is matched; null for stop words. Cached. */
export const termOf = remember(25_000, (word: string): string | null => {
  if (stopWords.has(word)) return null;
  const stem = isKorean(word) ? stemKorean(word) : stemEnglish(irregularForms.get(word) ?? word);
  return stem === "" || stopWords.has(stem) ? null : stem;
});

export function listTerms(text: string): string[] {
  return splitWords(text).flatMap((word) => termOf(word) ?? []);
}

export type Bag = Map<string, number>;

export type Bm25 = {
  /** Scores of documents that share a word with the query, by index. */
  score(query: Bag): Map<number, number>;
  /** A word that no document has counts as the rarest. */
  idf(word: string): number;
};

/** `lengthPenalty` (b) is 0..1; `lengths` are those of whole documents. */
type Bm25Options = { lengthPenalty?: number; lengths?: number[] };

/** k₁: how soon repetitions of a word stop counting. */
const saturation = 1.2;

/** Robertson and Zaragoza's BM25, by default with a mild length penalty for short statements. */
export function buildBm25(documents: Bag[], options: Bm25Options = {}): Bm25 {
  const { lengthPenalty = 0.4, lengths = documents.map(sumWeights) } = options;
  const meanLength = sum(lengths) / Math.max(1, lengths.length);
  const postings = indexPostings(documents);
  const idf = (word: string): number => {
    const holders = postings.get(word)?.length ?? 0;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  };
  const gain = (document: number, weight: number): number => {
    if (weight <= 0) return 0;
    const norm = saturation * (1 - lengthPenalty + lengthPenalty * ((lengths[document] ?? 0) / meanLength));
    return (weight * (saturation + 1)) / (weight + norm);
  };
  const score = (query: Bag) => {
    const scores = new Map<number, number>();
    for (const [word, wanted] of query) {
      for (const [document, weight] of postings.get(word) ?? []) {
        scores.set(document, (scores.get(document) ?? 0) + wanted * idf(word) * gain(document, weight));
      }
    }
    return scores;
  };
  return { score, idf };
}

type Posting = [document: number, weight: number];

function indexPostings(documents: Bag[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  for (const [document, bag] of documents.entries()) {
    for (const [word, weight] of bag) {
      const known = postings.get(word);
      if (known) known.push([document, weight]);
      else postings.set(word, [[document, weight]]);
    }
  }
  return postings;
}

function sumWeights(bag: Bag): number {
  return sum(bag.values());
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Caches a function of texts: at least `most` recent results, at most twice as many. */
export function remember<T>(most: number, make: (text: string) => T): (text: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = older.get(text) ?? make(text);
    if (recent.size >= most) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}

const forms = JSON.parse(
  readFileSync(new URL("../../data/text/irregular-forms.json", import.meta.url), "utf8"),
) as Record<string, string>;

const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries(forms).flatMap(([word, others]) => others.split(" ").map((form): [string, string] => [form, word])),
);

const suffixes = ["ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ed", "es", "s"];

/** A light stemmer, enough to equate "exhausted", "exhausts" and "exhausting". */
export function stemEnglish(word: string): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3 || word.endsWith("ss")) continue;
    const root = word.slice(0, -suffix.length);
    return (suffix === "ies" ? `${root}y` : root).replace(/([^aeiouls])\1$/, "$1").replace(/(?<=.{3})e+$/, "");
  }
  return word.replace(/(?<=.{3})e+$/, "");
}

const endings =
  `이었습니다 였습니다 하였습니다 했습니다 습니까 습니다 입니까 입니다 이에요 예요 인가요 은가요 는가요 나요 까요 세요 어요 아요 해요 이며 하며 으며 이다 한다 는다 되나요 됩니다 된다 하다 합니다 합니까 됩니까`
    .split(" ")
    .toSorted((a, b) => b.length - a.length);

/** Particles; a short one is removed only if enough of the word remains. */
const particles =
  `에서부터 으로부터 에서는 에게서 까지는 부터는 이라고 에서 에게 한테 께서 까지 부터 으로 마다 보다 처럼 이나 라고 은 는 을 를 에 이 가 의 도 로 와 과 만`
    .split(" ")
    .toSorted((a, b) => b.length - a.length);
const shortest = new Map<string, number>("이 가 의 도 로 와 과 만".split(" ").map((particle) => [particle, 2]));

/** Stems a Korean word: removes particles, verb endings, and a final sound that belongs to the ending (쉽니다, 쉬나요 → 쉬). */
export function stemKorean(word: string): string {
  const ending = endings.find((one) => word.length > one.length && word.endsWith(one));
  if (ending !== undefined) return word.slice(0, -ending.length);
  const polite = /^(.*)([가-힣])니[다까]$/.exec(word);
  if (polite && finalOf(polite[2] ?? "") === finalB) return `${polite[1]}${withoutFinal(polite[2] ?? "")}`;
  const [root, particle] = dropParticle(word);
  return auxiliary.has(particle) ? dropParticle(root)[0] : root;
}

/** Particles that follow others: 에는, 까지만, 에서도. */
const auxiliary = new Set("은 는 도 만".split(" "));

function dropParticle(word: string): [root: string, particle: string] {
  const found =
    particles.find((one) => word.endsWith(one) && word.length - one.length >= (shortest.get(one) ?? 1)) ?? "";
  return [word.slice(0, word.length - found.length), found];
}

export function isKorean(word: string): boolean {
  return /\p{Script=Hangul}/u.test(word);
}

const firstSyllable = 0xac_00;
const finals = 28;
const finalB = 17;

function finalOf(syllable: string): number {
  return ((syllable.codePointAt(0) ?? firstSyllable) - firstSyllable) % finals;
}

function withoutFinal(syllable: string): string {
  return String.fromCodePoint((syllable.codePointAt(0) ?? firstSyllable) - finalOf(syllable));
}
