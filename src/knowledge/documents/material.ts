import { formatDate, readDate } from "./document-date.ts";
import { type Contradiction, findContradictions } from "./contradictions.ts";
import { createScan, searchSentences } from "./search.ts";
import { type Document, type Sentence, scanLines, splitDocument, splitSentences } from "./sentences.ts";

/** A stretch of a document as it is shown. */
export type Passage = { source: string; date: string | null; heading: string | null; text: string };

/** What is shown of documents: all of them, or the passages that a question calls for. Nothing else can be quoted. */
export type Material = {
  isWhole: boolean;
  passages: Passage[];
  /** The sentences that are shown, in the order of the documents. */
  sentences: Sentence[];
  /** Every document, shown or not. */
  files: { source: string; date: string | null }[];
  contradictions: Contradiction[];
};

/** How much is shown: all documents together when they fit these characters, else so many passages. */
export type ReadingLimits = { characters: number; passages: number };

const materials = new WeakMap<Document[], Map<string, Material>>();

/** Chooses what is shown of documents for a question; made once for each question (question spec §4.3). */
export function selectMaterial(docs: Document[], query: string, limits: ReadingLimits): Material {
  const known = materials.get(docs) ?? new Map<string, Material>();
  materials.set(docs, known);
  const key = JSON.stringify([query, limits]);
  const material = known.get(key) ?? buildMaterial(docs, query, limits);
  known.set(key, material);
  return material;
}

function buildMaterial(docs: Document[], query: string, limits: ReadingLimits): Material {
  const files = docs.map(({ id, text }) => ({ source: id, date: writeDate(readDate(text)) }));
  const isWhole = docs.reduce((sum, { text }) => sum + text.length, 0) <= limits.characters;
  return isWhole ? showWhole(docs, query, files) : showPassages(docs, query, files, limits);
}

const looked = 20;

function showWhole(docs: Document[], query: string, files: Material["files"]): Material {
  const sentences = splitSentences(docs);
  const found = searchSentences(sentences, query, looked).map(({ sentence }) => sentence);
  const passages = docs.map(({ text }, index) => ({
    ...(files[index] as Material["files"][number]),
    heading: null,
    text,
  }));
  return { isWhole: true, passages, sentences, files, contradictions: findContradictions(found) };
}

/** Large documents are read one after the other, twice: to find what matches, and to take that with its neighbours. Never are all their sentences held. */
function showPassages(docs: Document[], query: string, files: Material["files"], limits: ReadingLimits): Material {
  const found = findPlaces(docs, query, Math.max(looked, limits.passages));
  const begins = docs.slice(0, limits.passages).map((_, document) => ({ document, at: 0 }));
  const wanted = found.length > 0 ? found.slice(0, limits.passages) : begins;
  const split = new Map(
    [...new Set([...found, ...wanted].map(({ document }) => document))].map((n) => [
      n,
      splitDocument(docs[n] as Document),
    ]),
  );
  const chosen = choosePlaces(wanted, split, limits.characters);
  const sentenceAt = ({ document, at }: Place): Sentence => split.get(document)?.[at] as Sentence;
  const shown = new Set(chosen.map(writePlace));
  const matching = found.filter((place) => shown.has(writePlace(place))).map(sentenceAt);
  return {
    isWhole: false,
    passages: joinPassages(chosen, sentenceAt),
    sentences: chosen.map(sentenceAt),
    files,
    contradictions: findContradictions(matching),
  };
}

/** Where a sentence stands: in which document, and which of its sentences it is. */
type Place = { document: number; at: number };

function writePlace({ document, at }: Place): string {
  return `${document}#${at}`;
}

/** Finds the places that match a question best, reading one document at a time. */
function findPlaces(docs: Document[], query: string, limit: number): Place[] {
  const scan = createScan(query);
  const starts = docs.map((doc) => {
    const start = scan.size();
    for (const line of scanLines(doc.text)) scan.add(line);
    return start;
  });
  return scan.rank(limit).map(({ place }) => {
    const document = starts.findLastIndex((start) => start <= place);
    return { document, at: place - (starts[document] ?? 0) };
  });
}

/** The places wanted with their neighbours, each once and in order, as many as fit. */
function choosePlaces(wanted: Place[], split: Map<number, Sentence[]>, characters: number): Place[] {
  const chosen = new Map<string, Place>();
  let room = characters;
  for (const { document, at } of wanted) {
    for (const near of [at, at - 1, at + 1]) {
      const place = { document, at: near };
      const length = split.get(document)?.[near]?.text.length;
      if (length === undefined || length > room || chosen.has(writePlace(place))) continue;
      chosen.set(writePlace(place), place);
      room -= length;
    }
  }
  return [...chosen.values()].toSorted((a, b) => a.document - b.document || a.at - b.at);
}

/** Sentences that follow each other are one passage. */
function joinPassages(places: Place[], sentenceAt: (place: Place) => Sentence): Passage[] {
  const passages: { passage: Passage; end: Place }[] = [];
  for (const place of places) {
    const { source, text, topic, date } = sentenceAt(place);
    const last = passages.at(-1);
    const goesOn =
      last?.end.document === place.document && last.end.at === place.at - 1 && last.passage.heading === (topic || null);
    if (last && goesOn) {
      last.passage.text += ` ${text}`;
      last.end = place;
    } else passages.push({ passage: { source, date: writeDate(date), heading: topic || null, text }, end: place });
  }
  return passages.map(({ passage }) => passage);
}

function writeDate(date: number | null): string | null {
  return date === null ? null : formatDate(date);
}
