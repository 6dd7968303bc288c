import MiniSearch from "minisearch";
import type { Document } from "./case.ts";

/** A sentence of a document. */
export type Sentence = { id: string; source: string; text: string; context: string };

/** A sentence found, with how well it matches. */
export type Hit = { sentence: Sentence; score: number };

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

const sentencesOfDocs = new WeakMap<Document[], Sentence[]>();

/** The sentences of the documents, each with its neighbours as context; a debate asks for the same ones at every turn. */
export function sentencesOf(docs: Document[]): Sentence[] {
  let sentences = sentencesOfDocs.get(docs);
  if (!sentences) {
    sentences = splitAll(docs);
    sentencesOfDocs.set(docs, sentences);
  }
  return sentences;
}

function splitAll(docs: Document[]): Sentence[] {
  return docs.flatMap(({ id: source, text }) => {
    const texts = text
      .split(/\n\s*\n|\n(?=[#*-])/)
      .flatMap((paragraph) =>
        [...segmenter.segment(paragraph)].map((part) => part.segment.replaceAll(/\s+/g, " ").trim()),
      )
      .filter((sentence) => /\p{L}|\p{N}/u.test(sentence));
    return texts.map((sentence, index) => ({
      id: `${source}#${index + 1}`,
      source,
      text: sentence,
      get context() {
        return texts.slice(Math.max(0, index - 1), index + 2).join(" ");
      },
    }));
  });
}

/** Ranks sentences by BM25 over their words. */
export function search(sentences: Sentence[], query: string, limit: number): Hit[] {
  const { index, byId } = indexOf(sentences);
  return index
    .search(query, { combineWith: "OR" })
    .slice(0, limit)
    .map(({ id, score }) => ({ sentence: byId.get(id as string) as Sentence, score }));
}

type Index = { index: MiniSearch<Sentence>; byId: Map<string, Sentence> };
const indexes = new WeakMap<Sentence[], Index>();

function indexOf(sentences: Sentence[]): Index {
  let known = indexes.get(sentences);
  if (!known) {
    const index = new MiniSearch<Sentence>({ fields: ["text"], processTerm: term, tokenize: words });
    index.addAll(sentences);
    known = { index, byId: new Map(sentences.map((sentence) => [sentence.id, sentence])) };
    indexes.set(sentences, known);
  }
  return known;
}

/** The words of a text, in any script. */
export function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** A word in the form in which it is matched; null for words that carry nothing. */
export function term(word: string): string | null {
  return stopWords.has(word) ? null : stem(word);
}

/** Takes English endings off, so that "caused", "causes" and "cause" meet; other scripts pass through. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const bare = word.replace(/(?:'s|ies|ied|ing|edly|ed|es|s|ly|e)$/, "");
  return bare.length >= 3 ? bare.replace(/([^aeiou])\1$/, "$1").replace(/y$/, "") : word;
}

/** The matched forms of a text's content words. */
export function terms(text: string): string[] {
  return words(text)
    .map(term)
    .filter((word) => word !== null && word !== "") as string[];
}

const stopWords = new Set(
  `a an the of in on at to for from by with and or but is are was were be been being do does did has have had what which who whom whose
  when where why how much many it its this that these those as not no can could will would should may might there their they he she we you
  i than then so if into about over under between during after before also any some such only own same too very`.split(
    /\s+/,
  ),
);
