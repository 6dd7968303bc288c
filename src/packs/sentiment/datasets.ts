/** The files of labelled aspects that a study may name (sentiment spec §10). */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetFile, DatasetFormat, DatasetReading, DatasetRow } from "../../engine/pack.ts";
import { isRecord } from "../../text/is-record.ts";
import { findTerm } from "./rules/text.ts";

export const datasets: Record<string, DatasetFormat> = {
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    read: (file) => makeCases(readAbsaRows(file.rows("jsonl")), file),
  },
  semeval_xml: {
    about: "aspect sentiment: SemEval 2014, 2015 or 2016 XML",
    endings: [".xml"],
    read: (file) => makeCases(readSemevalXml(file.text, file.path), file),
  },
  recorded: {
    about: "debates that were held elsewhere: {id, text, language_code, gold, trace or stage1, debate, stage2}",
    read: (file) => readRecordedDebates(file.rows("jsonl")),
  },
};

const RecordedRowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  language_code: z.string().nullish(),
  domain: z.string().nullish(),
  gold: z.unknown(),
});

/** One case a text: rows of one id are recordings of the same text, and a seed of the study takes one of them. */
function readRecordedDebates(rows: DatasetRow[]): DatasetReading {
  const read = rows.map(({ value, at }) => ({ ...readRow(RecordedRowSchema, value, at), at }));
  const texts = [...Map.groupBy(read, ({ id }) => id).values()];
  const cases = texts.map(([first, ...others]): DatasetCase => {
    const { id, text, language_code, domain, gold, at } = first as (typeof read)[number];
    const other = others.find((one) => one.text !== text || JSON.stringify(one.gold) !== JSON.stringify(gold));
    if (other) throw new ParleyError("bad_input", `${other.at}: another text or gold than "${id}" has at ${at}`);
    const input = { text, ...(language_code ? { language_code } : {}), recorded: [first, ...others].map(pickTurns) };
    return { id, input, gold: gold ?? null, strata: domain ? { domain } : {}, at };
  });
  const most = Math.max(0, ...texts.map((own) => own.length));
  const notes = most < 2 ? [] : [`${read.length} recorded debates of ${texts.length} texts; a seed takes one of each`];
  return { cases, notes };
}

/** The turns of a row, without what a trace says about its calls. */
function pickTurns(row: Record<string, unknown> = {}) {
  const trace = Array.isArray(row.trace) ? row.trace.map(pickEntry) : undefined;
  return {
    stage1: row.stage1 ?? trace ?? null,
    debate: row.debate ?? trace ?? null,
    stage2: row.stage2 ?? trace ?? null,
  };
}

function pickEntry(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { stage, agent, output } = entry;
  return { stage, agent, output };
}

function readRow<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const row = schema.safeParse(value);
  if (row.success) return row.data;
  const problems = row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ParleyError("bad_input", `${at}: ${problems.join("; ")}`);
}

type Sentences = { sentences: AbsaSentence[]; notes: string[] };

function makeCases({ sentences, notes }: Sentences, { path }: DatasetFile): DatasetReading {
  return { cases: sentences.map((sentence) => makeAbsaCase(sentence, path)), notes };
}

/** A labelled aspect: `term` is null when the text does not name it; indices are UTF-16, end exclusive. */
type LabelledAspect = { term: string | null; from: number; to: number; polarity: string; category?: string };

/** A sentence with its labelled aspects, as SemEval files and the ABSA JSON Lines have it. */
type AbsaSentence = {
  id: string;
  text: string;
  language: string | null;
  domain: string | null;
  aspects: LabelledAspect[];
};

/**
 * The place of a term in UTF-16 indices. Files made by Python count code points, so an index behind an emoji is too small;
 * where the index does not fit either way, the nearest occurrence of the term is taken.
 */
function findPlace(text: string, term: string, from: number): { from: number; to: number } | null {
  const counted = Array.from(text).slice(0, from).join("").length;
  const at = [from, counted].find((start) => text.startsWith(term, start)) ?? findTerm(text, term, from)?.start;
  return at === undefined || term === "" ? null : { from: at, to: at + term.length };
}

const AspectRowSchema = z.looseObject({
  term: z.string().nullish(),
  from: z.int().nullish(),
  to: z.int().nullish(),
  polarity: z.string(),
  category: z.string().optional(),
});

/** A row of an ABSA file: `{id, lang, domain, text, aspects: [{term, from, to, polarity}]}`. */
const AbsaRowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  lang: z.string().nullish(),
  domain: z.string().nullish(),
  text: z.string(),
  aspects: z.array(AspectRowSchema),
});

/** The sentences of ABSA rows; labels of polarity `conflict` are left out and counted. */
function readAbsaRows(rows: DatasetRow[]): { sentences: AbsaSentence[]; notes: string[] } {
  let conflicts = 0;
  const sentences = rows.map(({ value, at }): AbsaSentence => {
    const { id, lang, domain, text, aspects } = readRow(AbsaRowSchema, value, at);
    const kept = aspects.filter((aspect) => aspect.polarity !== "conflict");
    conflicts += aspects.length - kept.length;
    return {
      id: id === undefined ? at : String(id),
      text,
      language: lang ?? null,
      domain: domain ?? null,
      aspects: kept.map(readLabel),
    };
  });
  return { sentences, notes: conflicts > 0 ? [`${conflicts} labels of polarity "conflict" were left out`] : [] };
}

function readLabel({ term, from, to, polarity, category }: z.infer<typeof AspectRowSchema>): LabelledAspect {
  return {
    term: term ?? null,
    from: from ?? 0,
    to: to ?? 0,
    polarity,
    ...(category === undefined ? {} : { category }),
  };
}

/** A sentence as a case: the text for the players, the labelled aspects as gold. */
function makeAbsaCase({ id, text, language, domain, aspects }: AbsaSentence, path: string): DatasetCase {
  return {
    id,
    input: { text, ...(language === null ? {} : { language_code: language }) },
    gold: { aspects: aspects.map(({ term, polarity }) => ({ term: term ?? "", polarity })) },
    strata: {
      ...(domain === null ? {} : { domain }),
      aspects: aspects.length > 3 ? "4 or more" : String(aspects.length),
    },
    at: `${path} ${id}`,
  };
}

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
function readSemevalXml(text: string, path: string): { sentences: AbsaSentence[]; notes: string[] } {
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
