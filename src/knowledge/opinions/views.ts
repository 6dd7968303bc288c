/** What each reading says of an aspect, all its places in the text together, and what the experts make of that. */
import { remember } from "../../text/remember.ts";
import { findLayer, type Layer, type LearntReading, readLearnt } from "./layer.ts";
import { type AspectReading, readerOf } from "./reader.ts";
import { findAspectGroup, type LanguageCode } from "./reading/language.ts";
import type { Polarity, Reading, Span } from "./reading/reading.ts";

export type AspectView = {
  term: string;
  spans: Span[];
  confidence: number;
  isListed: boolean;
  near: Reading;
  scoped: Reading;
  whole: Reading;
  /** What a learnt layer makes of both and of the words around; null where there is none. */
  learnt: LearntReading | null;
};

/** An aspect that someone named; `normalized` is the category that an implicit one ("") is asked for. */
export type NamedAspect = { term: string; span: Span; normalized: string | null; confidence: number };

const viewsBy = new WeakMap<object, (key: string) => readonly AspectView[]>();
const noLayer = {};

/** Reads every aspect of a text, one view per term; the implicit "" is the text as a whole or the category it is asked for. */
export function viewAspects(
  text: string,
  language: LanguageCode,
  aspects: readonly NamedAspect[],
): readonly AspectView[] {
  const layer = findLayer(language);
  const views =
    viewsBy.get(layer ?? noLayer) ??
    remember(64, (key) => makeViews(...(JSON.parse(key) as [string, LanguageCode, NamedAspect[]]), layer));
  viewsBy.set(layer ?? noLayer, views);
  const named = aspects.map(({ term, span: { start, end }, normalized, confidence }) => ({
    term,
    span: { start, end },
    normalized,
    confidence,
  }));
  return views(JSON.stringify([text, language, named]));
}

const leastTaught = 30;

function makeViews(
  text: string,
  language: LanguageCode,
  aspects: readonly NamedAspect[],
  layer: Layer | null,
): AspectView[] {
  const reader = readerOf(language);
  const named = aspects.filter((aspect) => aspect.term !== "");
  const readings = reader.read(
    text,
    named.map((aspect) => aspect.span),
  );
  const whole = reader.overall(text);
  const taught = layer !== null && layer.examples.named >= leastTaught ? layer : null;
  const terms = Map.groupBy(named.keys(), (at) => named[at]?.term ?? "");
  const views = [...terms].map(([term, places]) => {
    const own = places.map((at) => readings[at] as AspectReading);
    const [near, scoped] = [combine(own.map((one) => one.near)), combine(own.map((one) => one.scoped))];
    const confidence = Math.max(...places.map((at) => named[at]?.confidence ?? 0));
    const told = { near, scoped, isNamed: confidence >= sure };
    const learnt =
      taught &&
      readLearnt(
        taught,
        told,
        own.map((one) => one.describe()),
      );
    const spans = places.map((at) => named[at]?.span as Span);
    return { term, spans, confidence, isListed: own.some((one) => one.isListed), near, scoped, whole, learnt };
  });
  const implicit = aspects.find((aspect) => aspect.term === "");
  return implicit ? [...views, viewImplicit(text, language, implicit.normalized)] : views;
}

function combine(readings: Reading[]): Reading {
  const [first, ...rest] = readings.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!first || rest.length === 0) return first as Reading;
  const value = readings.reduce((sum, reading) => sum + reading.value, 0);
  const polarity = nameSign(value) ?? first.polarity;
  return { ...(readings.find((reading) => reading.polarity === polarity) ?? first), value, polarity };
}

function nameSign(value: number): Polarity | null {
  return Math.abs(value) < 0.25 ? null : value > 0 ? "positive" : "negative";
}

export function viewImplicit(text: string, language: LanguageCode, category: string | null): AspectView {
  const reader = readerOf(language);
  const near = reader.overall(text);
  const scoped = (category === null ? null : readCategory(text, language, category)) ?? near;
  const layer = findLayer(language);
  const learnt =
    layer === null || layer.examples.implicit < leastTaught
      ? null
      : readLearnt(layer, { near, scoped, isNamed: true }, [reader.describeWhole(text, category, scoped)]);
  return { term: "", spans: [], confidence: 1, isListed: true, near, scoped, whole: near, learnt };
}

/** What a text says of a category such as "food" or "분위기": the reading of the terms that belong to it; null when none does. */
export function readCategory(text: string, language: LanguageCode, category: string): Reading | null {
  const wanted = findAspectGroup(category, language);
  if (wanted === null) return null;
  const spans = readerOf(language)
    .candidates(text)
    .map((candidate) => candidate.span);
  const own = readerOf(language)
    .read(text, spans)
    .map((one) => one.scoped)
    .filter(({ polarity, via }, at) => {
      const { start, end } = spans[at] as Span;
      const group = findAspectGroup(text.slice(start, end), language);
      /** The atmosphere is also that of the place. */
      const isOf = group === wanted || (wanted === "atmosphere" && group === "place");
      return isOf && polarity !== null && !guessed.test(via);
    });
  const [first] = own;
  if (first === undefined) return null;
  const value = own.reduce((sum, reading) => sum + reading.value, 0);
  const polarity = nameSign(value) ?? (own.every((reading) => reading.polarity === "neutral") ? "neutral" : null);
  if (polarity === null) return null;
  return { ...first, value, polarity, opinions: own.flatMap((reading) => reading.opinions), via: "category" };
}

const guessed = /^(nearest|elsewhere)$/;

const sure = 0.8;

function isRuledOut({ learnt }: AspectView, polarity: Polarity): boolean {
  return learnt !== null && learnt.shares[polarity] < 0.49;
}

/**
 * What the structure of the text says of an aspect: the polarity of a relation; "neutral" when the opinions near it
 * belong to something else; null when it cannot tell, or when what was learnt rules it out.
 */
export function judgeByStructure(view: AspectView): Polarity | null {
  const { polarity, via, opinions } = view.scoped;
  const isGuess = guessed.test(via) && view.near.polarity !== polarity;
  const isPassed = view.term !== "" && opinions.length === 0 && view.near.opinions.length > 0;
  const word = polarity === null ? (isPassed ? "neutral" : null) : isGuess ? null : polarity;
  return word === null || isRuledOut(view, word) ? null : word;
}
