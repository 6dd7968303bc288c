import { formatDate } from "./document-date.ts";
import { type Contradiction, findContradictions } from "./contradictions.ts";
import { searchSentences } from "./search.ts";
import { type Document, type Sentence, splitSentences } from "./sentences.ts";

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
  const all = splitSentences(docs);
  const dated = new Map(all.map((sentence) => [sentence.source, dateOf(sentence)]));
  const files = docs.map(({ id }) => ({ source: id, date: dated.get(id) ?? null }));
  const isWhole = docs.reduce((sum, { text }) => sum + text.length, 0) <= limits.characters;
  const found = searchSentences(all, query, Math.max(20, limits.passages)).map(({ sentence }) => sentence);
  const sentences = isWhole ? all : pickSentences(all, found.slice(0, limits.passages), limits);
  const shown = new Set(sentences);
  const contradictions = findContradictions(found.filter((sentence) => shown.has(sentence)));
  const passages = isWhole
    ? docs.map(({ id, text }) => ({ source: id, date: dated.get(id) ?? null, heading: null, text }))
    : joinPassages(all, sentences);
  return { isWhole, passages, sentences, files, contradictions };
}

/** The sentences found with their neighbours, each once and in order, as many as fit; where nothing was found, how the documents begin. */
function pickSentences(all: Sentence[], found: Sentence[], { characters, passages }: ReadingLimits): Sentence[] {
  const begins = all.filter((sentence, index) => sentence.source !== all[index - 1]?.source).slice(0, passages);
  const chosen = new Set<Sentence>();
  let room = characters;
  for (const sentence of found.length > 0 ? found : begins) {
    const place = all.indexOf(sentence);
    for (const near of [sentence, ...all.slice(Math.max(0, place - 1), place + 2)]) {
      if (near.source !== sentence.source || chosen.has(near) || near.text.length > room) continue;
      chosen.add(near);
      room -= near.text.length;
    }
  }
  return all.filter((sentence) => chosen.has(sentence));
}

/** Sentences that follow each other are one passage. */
function joinPassages(all: Sentence[], shown: Sentence[]): Passage[] {
  const passages: { passage: Passage; end: number }[] = [];
  for (const sentence of shown) {
    const place = all.indexOf(sentence);
    const { source, text, topic } = sentence;
    const last = passages.at(-1);
    const goesOn =
      last?.end === place - 1 && last.passage.source === source && last.passage.heading === (topic || null);
    if (last && goesOn) {
      last.passage.text += ` ${text}`;
      last.end = place;
    } else passages.push({ passage: { source, date: dateOf(sentence), heading: topic || null, text }, end: place });
  }
  return passages.map(({ passage }) => passage);
}

function dateOf(sentence: Sentence | undefined): string | null {
  return sentence?.date == null ? null : formatDate(sentence.date);
}
