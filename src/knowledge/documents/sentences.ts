import { readDate } from "./document-date.ts";
import { measureParagraphTrust, measureSentenceTrust, measureTrust } from "./provenance.ts";

/** A text with a name that can be cited. */
export type Document = { id: string; text: string };

/** A sentence of a document, with what it stands under and how far it can be relied on. */
export type Sentence = {
  id: string;
  source: string;
  text: string;
  /** The sentence with its neighbours. */
  context: string;
  /** What it speaks about: the headings above it, and the question that it answers. */
  topic: string;
  /** Headings and questions are read, but they are no answers. */
  kind: "statement" | "heading" | "question";
  /** The document's own date, as a number that orders dates; null when it has none. */
  date: number | null;
  /** How far its document and its wording can be relied on, 0 to 1. */
  trust: number;
};

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

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

type Line = Pick<Sentence, "text" | "topic" | "kind" | "trust">;

function splitDocument({ id: source, text }: Document): Sentence[] {
  const lines = readLines(text);
  const date = readDate(text);
  const documentTrust = measureTrust(text);
  return lines.map((line, index) => ({
    ...line,
    id: `${source}#${index + 1}`,
    source,
    date,
    trust: documentTrust * line.trust,
    get context() {
      return lines
        .slice(Math.max(0, index - 1), index + 2)
        .map((one) => one.text)
        .join(" ");
    },
  }));
}

/** The sentences of a text in order, with headings and questions as the topics of what follows them. */
function readLines(text: string): Line[] {
  const lines: Line[] = [];
  let headings: string[] = [];
  for (const [index, paragraph] of text.split(/\n\s*\n|\n(?=[#*>|-])/).entries()) {
    let asked = "";
    const trust = measureParagraphTrust(paragraph);
    for (const sentence of splitParagraph(paragraph, index === 0)) {
      const topic = [...headings, asked].filter(Boolean).join(" · ");
      lines.push({
        text: sentence.text,
        kind: sentence.kind,
        topic,
        trust: trust * measureSentenceTrust(sentence.text),
      });
      if (sentence.kind === "question") asked = sentence.text;
      if (sentence.kind === "heading") headings = nestHeading(headings, sentence);
    }
  }
  return lines;
}

type Part = { text: string; kind: Sentence["kind"]; level: number };

function splitParagraph(paragraph: string, isFirst: boolean): Part[] {
  return paragraph.split("\n").flatMap((line, index): Part[] => {
    const level = /^\s*(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
    const isTitle = isFirst && index === 0 && !/[.!?。:]\s*$/.test(line.trim()) && paragraph.includes("\n");
    if (level > 0 || isTitle) return keepWords({ text: line, kind: "heading", level: level || 1 });
    return [...segmenter.segment(line)].flatMap(({ segment }) =>
      keepWords({ text: segment, kind: /[?？][*_\s"”]*$/.test(segment) ? "question" : "statement", level: 0 }),
    );
  });
}

/** Markdown's marks at the ends of a sentence are not part of it. */
function keepWords(part: Part): Part[] {
  const text = part.text
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s#*_>]+/, "")
    .replace(/[\s*_]+$/, "");
  return /\p{L}|\p{N}/u.test(text) ? [{ ...part, text }] : [];
}

function nestHeading(above: string[], { text, level }: Part): string[] {
  return [...above.slice(0, Math.max(0, level - 1)), text];
}
