import { followTrail } from "./leaning.ts";
import { segmentSentences } from "../../text/sentences.ts";
import { readDate } from "./document-date.ts";
import { measureParagraphTrust, measureSentenceTrust, measureTrust } from "./provenance.ts";
import { isRow, isRule, readRow, splitCells } from "./tables.ts";

/** A text with a name that can be cited. */
export type Document = { id: string; text: string };

/** A sentence of a document, with what it stands under and how far it can be relied on. */
export type Sentence = {
  id: string;
  source: string;
  text: string;
  /** What it says, for who matches and answers: the row of a table with the names of its columns, else the text. */
  said: string;
  /** The sentence with its neighbours. */
  context: string;
  /** What it speaks about: the headings above it, and the question that it answers. */
  topic: string;
  /** The topic, and what the sentence leans on: the one before that it goes on from, or what happened by the cause it tells. */
  about: string;
  /** Headings and questions are read, but they are no answers. */
  kind: "statement" | "heading" | "question";
  /** The document's own date, as a number that orders dates; null when it has none. */
  date: number | null;
  /** How far its document and its wording can be relied on, 0 to 1. */
  trust: number;
};

const sentencesOfDocs = new WeakMap<Document[], Sentence[]>();

/** Splits documents into sentences, each with its neighbours as context; done once for a list of documents. */
export function splitSentences(docs: Document[]): Sentence[] {
  let sentences = sentencesOfDocs.get(docs);
  if (!sentences) {
    sentences = docs.flatMap(splitDocument);
    sentencesOfDocs.set(docs, sentences);
  }
  return sentences;
}

type Line = Pick<Sentence, "text" | "said" | "topic" | "about" | "kind"> & { paragraphTrust: number };

/** The sentences of one document, in order. */
export function splitDocument({ id: source, text }: Document): Sentence[] {
  const lines = readLines(text);
  const date = readDate(text);
  const documentTrust = measureTrust(text);
  return lines.map((_, index) => new SentenceOfDocument({ source, date, documentTrust, lines }, index));
}

type Origin = Pick<Sentence, "source" | "date"> & { documentTrust: number; lines: Line[] };

/** A sentence in its document; what few sentences are asked for is made when it is asked for. */
class SentenceOfDocument implements Sentence {
  readonly source: string;
  readonly date: number | null;
  readonly text: string;
  readonly said: string;
  readonly topic: string;
  readonly about: string;
  readonly kind: Sentence["kind"];
  readonly #origin: Origin;
  readonly #index: number;

  constructor(origin: Origin, index: number) {
    const { text, said, topic, about, kind } = origin.lines[index] as Line;
    this.source = origin.source;
    this.date = origin.date;
    this.text = text;
    this.said = said;
    this.topic = topic;
    this.about = about;
    this.kind = kind;
    this.#origin = origin;
    this.#index = index;
  }

  get id(): string {
    return `${this.source}#${this.#index + 1}`;
  }

  get trust(): number {
    const { documentTrust, lines } = this.#origin;
    return documentTrust * (lines[this.#index]?.paragraphTrust ?? 1) * measureSentenceTrust(this.text);
  }

  get context(): string {
    return this.#origin.lines
      .slice(Math.max(0, this.#index - 1), this.#index + 2)
      .map((one) => one.text)
      .join(" ");
  }
}

/** The sentences of a text in order, with headings and questions as the topics of what follows them. */
function readLines(text: string): Line[] {
  return [...scanLines(text)];
}

/** As they come, for who does not keep them: the text of large documents is never held twice. */
export function* scanLines(text: string): Generator<Line> {
  let headings: Part[] = [];
  let isFirst = true;
  const trail = followTrail();
  for (const paragraph of scanParagraphs(text)) {
    let asked = "";
    const paragraphTrust = measureParagraphTrust(paragraph);
    trail.beginParagraph();
    for (const part of splitParagraph(paragraph, isFirst)) {
      const { text: words, kind, said = words } = part;
      const topic = [...headings.map((heading) => heading.text), asked].filter(Boolean).join(" · ");
      const leaning = trail.take({ ...part, said });
      yield { text: words, said, kind, topic, about: leaning === "" ? topic : `${topic} · ${leaning}`, paragraphTrust };
      if (kind === "question") asked = words;
      if (kind === "heading" && part.level > 0) headings = nestHeading(headings, part);
    }
    isFirst = false;
  }
}

/** The paragraphs of a text: what empty lines, list items, quotes and headings part; a table is one. */
function* scanParagraphs(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n|\n(?=[#*>-])/g)) {
    yield text.slice(start, index);
    start = index + gap.length;
  }
  yield text.slice(start);
}

/** A stretch of a paragraph; the level of a heading that is not nested, as that of a table, is 0. */
export type Part = { text: string; kind: Sentence["kind"]; level: number; said?: string };

function splitParagraph(paragraph: string, isFirst: boolean): Part[] {
  const lines = paragraph.split("\n");
  const isProse = /[.!?。…]["”’)\]]*\s*$/.test(paragraph);
  const parts: Part[] = [];
  let columns: string[] = [];
  let running = "";
  const close = (): void => {
    if (running !== "") parts.push(...splitRunning(running));
    running = "";
  };
  for (const [index, line] of lines.entries()) {
    if (isRow(line)) {
      close();
      if (isRule(lines[index + 1] ?? "")) columns = splitCells(line);
      parts.push(...keepWords(readRow(line, columns)));
      continue;
    }
    const level = /^\s*(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
    const isTitle = isFirst && index === 0 && !/[.!?。:]\s*$/.test(line.trim()) && lines.length > 1;
    if (level > 0 || (isTitle && !goesOn(line, lines[1] ?? "", false))) {
      close();
      parts.push(...keepWords({ text: line, kind: "heading", level: level || 1 }));
    } else {
      if (running !== "" && !goesOn(lines[index - 1] ?? "", line, isProse)) close();
      running = running === "" ? line : `${running} ${line}`;
    }
  }
  close();
  return parts;
}

const listItem = /^\s*(?:[-*+•>|#]|\d+[.)]\s|[a-z][.)]\s)/i;
const entry = /^[^.!?]{1,40}:\s|\t|\|/;

/**
 * Whether a sentence runs on from one line of a paragraph into the next: neither is an item, a table row or a "name: value"
 * entry, the first does not end a sentence, and the next goes on in lower case or the paragraph is prose.
 */
function goesOn(line: string, next: string, isProse: boolean): boolean {
  if (line.trim() === "" || /[.!?。…:;][*_"”’)\]]*\s*$/.test(line) || listItem.test(next)) return false;
  if (/^\s*\p{Ll}/u.test(next) || /,\s*$/.test(line)) return true;
  return isProse && !entry.test(line) && !entry.test(next) && !listItem.test(line);
}

function splitRunning(text: string): Part[] {
  return [...segmentSentences(text)].flatMap((sentence) =>
    keepWords({ text: sentence, kind: /[?？][*_\s"”]*$/.test(sentence) ? "question" : "statement", level: 0 }),
  );
}

/** Markdown's marks at the ends of a sentence are not part of it. */
function keepWords(part: Part): Part[] {
  const text = part.text
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s#*_>]+/, "")
    .replace(/[\s*_]+$/, "");
  return /\p{L}|\p{N}/u.test(text) ? [{ ...part, text }] : [];
}

/** A heading ends those of its level and below. */
function nestHeading(above: Part[], heading: Part): Part[] {
  return [...above.filter(({ level }) => level < heading.level), heading];
}
