/** A text with a name that can be cited. */
export type Document = { id: string; text: string };

/** A sentence of a document. */
export type Sentence = { id: string; source: string; text: string; context: string };

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

function splitDocument({ id: source, text }: Document): Sentence[] {
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
}
