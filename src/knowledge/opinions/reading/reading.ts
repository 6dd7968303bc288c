import type { LanguageCode } from "../language/language.ts";

/** A place in the raw text: UTF-16 indices, end exclusive. */
export type Span = { start: number; end: number };

export type Polarity = "positive" | "negative" | "neutral";

/** An evaluating word or phrase of the text, with everything around it that changes its value. */
export type Opinion = {
  span: Span;
  term: string;
  /** Signed strength (about -4..4) after negation, degree and modality; 0 evaluates as neither. */
  value: number;
  /** What the lexicon says of the word alone. */
  base: number;
  clause: number;
  /** A "fact" tells what happens or is missing; it speaks, but less surely than a judgement. */
  kind: "judgement" | "fact";
  negated: boolean;
  /** Stated of a wish, a condition or an expectation, not of what was met. */
  hypothetical: boolean;
};

/** A possible aspect of the text. */
export type Candidate = { span: Span; head: string; confidence: number; why: string };

/** What a reading says of one aspect: null when the text does not evaluate it. */
export type Reading = {
  polarity: Polarity | null;
  /** Signed sum of the opinions that count, and how sure the reading is (0..1). */
  value: number;
  confidence: number;
  opinions: Opinion[];
  /** The stretch of text that shows it: the aspect with its opinions. */
  evidence: Span;
  /** How the opinion was found to belong to the aspect. */
  via: string;
};

/** What a learnt layer may weigh: the name of each thing noticed, and how much of it there is. */
export type Features = ReadonlyMap<string, number>;

/** The marks of structure that make a reading risky. */
export type Marks = { negations: Span[]; contrasts: Span[]; ironies: Span[]; clauses: Span[] };

/** What the experts can do with a text of one language; every answer is a function of the text alone. */
export type Reader = {
  language: LanguageCode;
  candidates(text: string): Candidate[];
  /** The plain reading: the opinions near the aspect. */
  near(text: string, aspects: readonly Span[]): Reading[];
  /** The structural reading: the opinions that clause, relation and contrast tie to the aspect. */
  scoped(text: string, aspects: readonly Span[]): Reading[];
  /** The reading of the text as a whole. */
  overall(text: string): Reading;
  marks(text: string): Marks;
  /** What a learnt layer is told of each aspect. */
  describe(text: string, aspects: readonly Span[]): Features[];
  /** What it is told of the text as a whole, or of a category of which `scoped` is the reading. */
  describeWhole(text: string, category: string | null, scoped: Reading): Features;
  /** The group of things that reviews judge which a word belongs to. */
  groupOf(word: string): string | undefined;
};
