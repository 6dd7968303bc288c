/** Readings of an aspect: by nearby words, by structure, and by the whole text. The same for every language. */

/** A place in the raw text: UTF-16 indices, end exclusive. */
export type Span = { start: number; end: number };

export type Polarity = "positive" | "negative" | "neutral";

export type Range = { from: number; to: number };

export type Opinion = Range & {
  span: Span;
  term: string;
  value: number;
  base: number;
  clause: number;
  negated: boolean;
};

export type Attachment = { opinion: Opinion; targets: Range[]; via: string };

export type Place = Range & {
  span: Span;
  clause: number;
  group: string;
};

/** A word in its base form, with its kind ("" for function words) and clause. */
export type Word = {
  index: number;
  lemma: string;
  kind: "noun" | "verb" | "adjective" | "adverb" | "number" | "";
  clause: number;
};

export type Structure = {
  text: string;
  words: readonly Word[];
  clauses: readonly Span[];
  opinions: Opinion[];
  attachments: Attachment[];
  reach: "clause" | "text";
  place(span: Span): Place;
};

/** Words that may name an aspect, with their features; `head` is the noun they end in. */
export type Nominee = { span: Span; head: string; why: string; features: Features };

export type Candidate = Omit<Nominee, "features"> & { confidence: number };

/** A reading of one aspect: null when the text does not judge it. */
export type Reading = {
  polarity: Polarity | null;
  /** The signed sum of its opinions, and its confidence (0..1). */
  value: number;
  confidence: number;
  opinions: Opinion[];
  evidence: Span;
  via: string;
};

export type Features = ReadonlyMap<string, number>;

export type Marks = {
  /** Where the text negates, contrasts or may be ironic. */
  turns: Span[];
  ironies: Span[];
  neutrals: Span[];
  clauses: Span[];
  structure: "irony" | "contrast" | "negation" | "none";
};

export function findClause(clauses: readonly Range[], at: number): number {
  return Math.max(
    0,
    clauses.findIndex(({ from, to }) => at >= from && at < to),
  );
}

/** What a language's analysis gives: its tokens with their base forms, and what it finds among them. */
type Analysed<T extends Span> = Pick<Structure, "text" | "opinions" | "attachments" | "reach"> & {
  tokens: readonly T[];
  clauses: readonly Range[];
  read(token: T): Pick<Word, "lemma" | "kind">;
  groupOf(tokens: readonly T[]): string | undefined;
};

export function buildStructure<T extends Span>({ tokens, clauses, read, groupOf, ...rest }: Analysed<T>): Structure {
  const holders = new Int32Array(tokens.length).fill(-1);
  for (const [clause, { from, to }] of clauses.entries())
    for (let at = Math.max(0, from); at < to && at < holders.length; at += 1)
      if (holders[at] === -1) holders[at] = clause;
  return {
    ...rest,
    words: tokens.map((token, index) => ({ index, ...read(token), clause: holders[index] as number })),
    clauses: clauses.map(({ from, to }) => ({ start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 })),
    place(span) {
      const touched = tokens.filter((token) => token.start < span.end && token.end > span.start);
      const [from, to] = [tokens.indexOf(touched[0] as T), tokens.indexOf(touched.at(-1) as T) + 1];
      const group = groupOf(touched) ?? "other";
      return {
        span,
        from: Math.max(0, from),
        to: Math.max(1, to),
        clause: findClause(clauses, Math.max(0, to - 1)),
        group,
      };
    },
  };
}

export function readNear(structure: Structure, places: readonly Place[]): Reading[] {
  return places.map((place) => {
    const counted = structure.opinions
      .filter((opinion) => opinion.clause === place.clause && !isInside(opinion, place))
      .map((opinion) => ({ opinion, weight: 1 / (1 + 0.35 * measureDistance(opinion, place)) }));
    const others = places.filter((other) => other !== place);
    const isHeard = structure.reach === "clause" || counted.some(speaks);
    return conclude(place.span, isHeard ? counted : findNearest(structure, place, others), "near");
  });
}

export function readScoped(structure: Structure, places: readonly Place[]): Reading[] {
  const { attachments } = structure;
  const holders = attachments.map((one) => findHolders(one, places));
  return places.map((place) => {
    const tied = attachments.filter((_, index) => holders[index]?.includes(place));
    const own = structure.opinions.filter((opinion) => isInside(opinion, place));
    const counted = [...tied.map((one) => one.opinion), ...own].map((opinion) => ({ opinion, weight: 1 }));
    if (counted.some(speaks)) return conclude(place.span, counted, tied[0]?.via ?? "in the aspect itself");
    const others = places.filter((other) => other !== place);
    return conclude(place.span, structure.reach === "text" ? findNearest(structure, place, others) : [], "nearest");
  });
}

export function readOverall(structure: Structure): Reading {
  const whole = { start: 0, end: 0 };
  const counted = structure.opinions.map((opinion) => ({ opinion, weight: 1 }));
  return conclude(counted.length > 0 ? (counted[0] as Counted).opinion.span : whole, counted, "whole text");
}

type Counted = { opinion: Opinion; weight: number };

const speaks = ({ opinion }: Counted) => opinion.value !== 0 || opinion.base === 0;

function findHolders(attachment: Attachment, places: readonly Place[]): Place[] {
  const meets = (ranges: readonly Range[], place: Place) =>
    ranges.some((range) => range.from < place.to && range.to > place.from);
  return places.filter((place) => meets(attachment.targets, place) && !isInside(attachment.opinion, place));
}

function findNearest(structure: Structure, place: Place, others: readonly Place[]): Counted[] {
  const held = structure.attachments.filter((one) => findHolders(one, others).length > 0).map((one) => one.opinion);
  const free = structure.opinions.filter((opinion) => !held.includes(opinion) && !isInside(opinion, place));
  const ranked = free.map((opinion) => ({ opinion, weight: 0.4 })).filter(speaks);
  ranked.sort((a, b) => measureDistance(a.opinion, place) - measureDistance(b.opinion, place));
  return ranked.slice(0, 1);
}

function conclude(span: Span, counted: readonly Counted[], via: string): Reading {
  const value = counted.reduce((sum, one) => sum + one.opinion.value * one.weight, 0);
  const size = counted.reduce((sum, one) => sum + Math.abs(one.opinion.value) * one.weight, 0);
  const opinions = counted.filter(speaks).map((one) => one.opinion);
  const polarity = toPolarity(value, counted);
  const unity = size > 0 ? Math.abs(value) / size : 0;
  const confidence = polarity === null ? 0.5 : Math.min(0.95, 0.5 + 0.15 * Math.min(2, Math.abs(value)) + 0.15 * unity);
  const start = Math.min(span.start, ...opinions.map((one) => one.span.start));
  const end = Math.max(span.end, ...opinions.map((one) => one.span.end));
  const seen = opinions.length > 0;
  return {
    polarity,
    value,
    confidence,
    opinions,
    evidence: seen ? { start, end } : span,
    via: seen ? via : "no opinion",
  };
}

function toPolarity(value: number, counted: readonly Counted[]): Polarity | null {
  return nameSign(value) ?? (counted.some((one) => one.opinion.base === 0) ? "neutral" : null);
}

function isInside(opinion: Range, place: Range): boolean {
  return opinion.from >= place.from && opinion.to <= place.to;
}

function measureDistance(opinion: Range, place: Range): number {
  if (opinion.to <= place.from) return place.from - opinion.to;
  return Math.max(0, opinion.from - place.to);
}

export function nameSign(value: number, least = 0.25): Exclude<Polarity, "neutral"> | null {
  if (Math.abs(value) < least || value === 0) return null;
  return value > 0 ? "positive" : "negative";
}
