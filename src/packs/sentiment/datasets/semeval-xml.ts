import { XMLParser, XMLValidator } from "fast-xml-parser";
import { ParleyError } from "../../../contract/error.ts";
import { type AbsaSentence, type LabelledAspect, findPlace } from "./absa-sentence.ts";

type Attributes = Record<string, string>;
type Sentence = Attributes & {
  text: string;
  aspectTerms?: { aspectTerm: Attributes[] } | "";
  Opinions?: { Opinion: Attributes[] } | "";
};
type SentenceList = { sentence: Sentence[] } | "";

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => ["sentence", "Review", "aspectTerm", "Opinion"].includes(name),
});

/**
 * The sentences of a SemEval aspect file: 2014 (`aspectTerms`), 2015 and 2016 (`Opinions`, target NULL = not named).
 * Sentences marked out of scope and labels of polarity `conflict` are left out and counted, as the tasks do.
 */
export function readSemevalXml(text: string, path: string): { sentences: AbsaSentence[]; notes: string[] } {
  const valid = XMLValidator.validate(text);
  if (valid !== true)
    throw new ParleyError("bad_input", `${path}:${valid.err.line}: this is not valid XML: ${valid.err.msg}`);
  const lists = findSentenceLists(parser.parse(text) as Record<string, unknown>, path);
  const all = lists.flatMap((list) => (typeof list === "string" ? [] : list.sentence));
  const inScope = all.filter((sentence) => sentence.OutOfScope?.toUpperCase() !== "TRUE");
  let conflicts = 0;
  const sentences = inScope.map((sentence, i) => {
    const aspects = listLabels(sentence);
    const kept = aspects.filter((aspect) => aspect.polarity !== "conflict");
    conflicts += aspects.length - kept.length;
    return { id: sentence.id ?? `sentence-${i + 1}`, text: sentence.text, language: null, domain: null, aspects: kept };
  });
  return { sentences, notes: writeNotes(all.length - inScope.length, conflicts) };
}

function findSentenceLists(root: Record<string, unknown>, path: string): SentenceList[] {
  const reviews = root.Reviews as { Review: { sentences: SentenceList }[] } | undefined;
  if (reviews) return reviews.Review.map((review) => review.sentences ?? "");
  if (root.sentences !== undefined) return [root.sentences as SentenceList];
  throw new ParleyError(
    "bad_input",
    `${path} is XML, but neither <sentences> (SemEval 2014) nor <Reviews> (2015, 2016)`,
  );
}

function listLabels(sentence: Sentence): LabelledAspect[] {
  const terms = typeof sentence.aspectTerms === "object" ? sentence.aspectTerms.aspectTerm : [];
  const opinions = typeof sentence.Opinions === "object" ? sentence.Opinions.Opinion : [];
  return [
    ...terms.map((one) => toLabel(sentence.text, one.term, one)),
    ...opinions.map((one) => toLabel(sentence.text, one.target === "NULL" ? undefined : one.target, one)),
  ];
}

function toLabel(text: string, term: string | undefined, attributes: Attributes): LabelledAspect {
  const place = term === undefined ? null : findPlace(text, term, Number(attributes.from ?? 0));
  return {
    term: place === null ? null : text.slice(place.from, place.to),
    ...(place ?? { from: 0, to: 0 }),
    polarity: attributes.polarity ?? "",
    ...(attributes.category === undefined ? {} : { category: attributes.category }),
  };
}

function writeNotes(outOfScope: number, conflicts: number): string[] {
  return [
    ...(outOfScope > 0 ? [`${outOfScope} sentences marked out of scope were left out`] : []),
    ...(conflicts > 0 ? [`${conflicts} labels of polarity "conflict" were left out`] : []),
  ];
}
