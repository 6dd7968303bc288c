/** What each reading says of an aspect, all its places in the text together, and what the experts make of that. */
import { remember } from "../../text/remember.ts";
import { findAspectGroup, type LanguageCode } from "./reading/language.ts";
import { findLayer, type Layer, type LearntReading, readLearnt } from "./layer.ts";
import { readerOf } from "./reader.ts";
import type { Features, Polarity, Reading, Span } from "./reading/reading.ts";

/** What each reading says of an aspect, all its places in the text together. */
export type AspectView = {
  term: string;
  spans: Span[];
  /** How sure whoever named the aspect is that it is one that the text judges. */
  confidence: number;
  near: Reading;
  scoped: Reading;
  /** The text as a whole, whatever it is about. */
  whole: Reading;
  /** What a learnt layer makes of both and of the words around; null where there is none. */
  learnt: LearntReading | null;
};

/** An aspect that someone named; `normalized` is the category that an implicit one ("") is asked for. */
export type NamedAspect = { term: string; span: Span; normalized: string | null; confidence: number };

/** How many texts' views are kept: more than a batch reads at once, so that all roles of a run share one analysis. */
const keptViews = 64;

/** The views that were made with each layer; what no layer reads has its own. */
const viewsBy = new WeakMap<object, (key: string) => readonly AspectView[]>();
const noLayer = {};

/** Reads every aspect of a text, one view per term; the implicit "" is the text as a whole or the category it is asked for. */
export function viewAspects(
  text: string,
  language: LanguageCode,
  aspects: readonly NamedAspect[],
): readonly AspectView[] {
  const layer = findLayer(language);
  const views = viewsBy.get(layer ?? noLayer) ?? remember(keptViews, (key) => readKey(key, layer));
  viewsBy.set(layer ?? noLayer, views);
  const named = aspects.map(({ term, span, normalized, confidence }) => ({
    term,
    span: { start: span.start, end: span.end },
    normalized,
    confidence,
  }));
  return views(JSON.stringify({ text, language, aspects: named }));
}

function readKey(key: string, layer: Layer | null): AspectView[] {
  const { text, language, aspects } = JSON.parse(key) as {
    text: string;
    language: LanguageCode;
    aspects: NamedAspect[];
  };
  return makeViews(text, language, aspects, layer);
}

function makeViews(
  text: string,
  language: LanguageCode,
  aspects: readonly NamedAspect[],
  layer: Layer | null,
): AspectView[] {
  const reader = readerOf(language);
  const named = aspects.filter((aspect) => aspect.term !== "");
  const spans = named.map((aspect) => ({ start: aspect.span.start, end: aspect.span.end }));
  const near = reader.near(text, spans);
  const scoped = reader.scoped(text, spans);
  const whole = reader.overall(text);
  const taught = layer !== null && layer.examples.named >= leastTaught ? layer : null;
  const described = taught === null ? [] : reader.describe(text, spans);
  const terms = [...new Set(named.map((aspect) => aspect.term))];
  const views = terms.map((term) => {
    const own = named.flatMap((aspect, index) => (aspect.term === term ? [index] : []));
    const together = (readings: Reading[]) => combine(own.map((index) => readings[index] as Reading));
    const confidence = Math.max(...own.map((index) => named[index]?.confidence ?? 0));
    const places = own.map((index) => spans[index] as Span);
    const readings = { near: together(near), scoped: together(scoped) };
    const learnt =
      taught &&
      readLearnt(
        taught,
        { ...readings, isNamed: confidence >= sure },
        own.map((index) => described[index] as Features),
      );
    return { term, spans: places, confidence, ...readings, whole, learnt };
  });
  const implicit = aspects.find((aspect) => aspect.term === "");
  return implicit ? [...views, viewImplicit(text, language, implicit.normalized)] : views;
}

/** A layer says nothing of what it was hardly taught. */
const leastTaught = 30;

/** The implicit aspect: what is said of its category, else of the whole text. */
export function viewImplicit(text: string, language: LanguageCode, category: string | null): AspectView {
  const overall = readerOf(language).overall(text);
  const scoped = (category === null ? null : readCategory(text, language, category)) ?? overall;
  const layer = findLayer(language);
  const learnt =
    layer === null || layer.examples.implicit < leastTaught
      ? null
      : readLearnt(layer, { near: overall, scoped, isNamed: true }, [
          readerOf(language).describeWhole(text, category, scoped),
        ]);
  return { term: "", spans: [], confidence: 1, near: overall, scoped, whole: overall, learnt };
}

/** From here on an aspect counts as named for being judged; below, a mention needs an opinion in its sentence. */
const sure = 0.8;

/** True when whoever named the aspect is sure that the text judges it. */
export function isNamedSurely({ confidence }: AspectView): boolean {
  return confidence >= sure;
}

/** From this share on what was learnt leaves an answer open; below, it rules it out. */
const open = 0.49;

/** How sure what was learnt has to be that an aspect of which it never met a word is a mere mention: below, a vote of the readings is right as often. */
const sureOfStranger = 0.7;

/** True when what was learnt of the aspect speaks against an answer; where nothing was, nothing does. */
export function isRuledOut({ learnt }: AspectView, polarity: Polarity): boolean {
  if (learnt === null || (learnt.label === "neutral" && !learnt.met && learnt.confidence < sureOfStranger))
    return false;
  return learnt.shares[polarity] < open;
}

/** What the structure of the text says of an aspect, unless what was learnt rules it out; null when it cannot tell. */
export function judgeByStructure(view: AspectView): Polarity | null {
  const word = readByRules(view);
  const silenced = word === "neutral" ? isOutvoted(view) : isPassedOver(view);
  return word === null || isRuledOut(view, word) || silenced ? null : word;
}

/** True when what was learnt takes an aspect that nobody is certain of for a mere mention: it has weighed the same words. */
function isPassedOver({ learnt, confidence }: AspectView): boolean {
  return learnt?.label === "neutral" && confidence < 1;
}

/** True when the words near a sure target and the text as a whole judge it alike, against a structure that finds no judgement. */
function isOutvoted(view: AspectView): boolean {
  const { polarity } = view.near;
  return isNamedSurely(view) && polarity !== null && polarity !== "neutral" && polarity === view.whole.polarity;
}

/**
 * The polarity of a relation; "neutral" when the opinions near the aspect belong to something else; null when there is
 * no relation, when opinions cancel out, or when mere facts stand against a judgement.
 */
function readByRules(view: AspectView): Polarity | null {
  const { polarity, via, opinions } = view.scoped;
  if (via === "elsewhere" && !isNamedSurely(view)) return "neutral";
  const told = opinions.length > 0 && opinions.every((opinion) => opinion.kind === "fact");
  const guessed = via === "nearest" || via === "elsewhere" || (told && view.near.polarity !== null);
  if (polarity !== null) return guessed && view.near.polarity !== polarity ? null : polarity;
  return view.term !== "" && opinions.length === 0 && view.near.opinions.length > 0 ? "neutral" : null;
}

/** Several places of one term: their opinions add up. */
function combine(readings: Reading[]): Reading {
  const [first, ...rest] = readings.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!first || rest.length === 0) return first as Reading;
  const value = readings.reduce((sum, reading) => sum + reading.value, 0);
  const polarity: Polarity | null = Math.abs(value) >= 0.25 ? (value > 0 ? "positive" : "negative") : first.polarity;
  return { ...(readings.find((reading) => reading.polarity === polarity) ?? first), value, polarity };
}

/** What a text says of a category such as "food" or "분위기": the reading of the terms that belong to it; null when none does. */
export function readCategory(text: string, language: LanguageCode, category: string): Reading | null {
  const wanted = findGroups(category, language);
  if (wanted.size === 0) return null;
  const reader = readerOf(language);
  const candidates = reader.candidates(text);
  const readings = reader.scoped(
    text,
    candidates.map((candidate) => candidate.span),
  );
  const own = readings.filter((reading, index) => {
    const span = candidates[index]?.span;
    const group = span ? findAspectGroup(text.slice(span.start, span.end), language) : null;
    return (
      reading.polarity !== null && !/^(nearest|elsewhere)$/.test(reading.via) && group !== null && wanted.has(group)
    );
  });
  if (own.length === 0) return null;
  const value = own.reduce((sum, reading) => sum + reading.value, 0);
  if (Math.abs(value) < 0.25 && own.some((reading) => reading.polarity !== "neutral")) return null;
  const polarity = Math.abs(value) < 0.25 ? "neutral" : value > 0 ? "positive" : "negative";
  return {
    ...(own[0] as Reading),
    value,
    polarity,
    opinions: own.flatMap((reading) => reading.opinions),
    via: "category",
  };
}

/** The groups of things that a category covers; the atmosphere is also that of the place. */
function findGroups(category: string, language: LanguageCode): Set<string> {
  const group = findAspectGroup(category, language);
  if (group === null) return new Set();
  return new Set(group === "atmosphere" ? [group, "place"] : [group]);
}

/** True for a term that reviews do not judge, to which this text ties no opinion by a relation, and neither does what was learnt of it. */
export function isDoubtfulTarget(text: string, language: LanguageCode, view: AspectView): boolean {
  if (view.spans.length === 0 || isListed(text, language, view.spans)) return false;
  if (isRuledOut(view, "neutral") && (isNamedSurely(view) || view.learnt?.opinions.length !== 0)) return false;
  if (view.scoped.polarity === null) return true;
  /** Whoever named it surely is borne out by a text that as a whole says the same. */
  if (isNamedSurely(view) && view.scoped.polarity === view.whole.polarity) return false;
  return /^(loose|nearest|elsewhere|no opinion)$/.test(view.scoped.via);
}

/** True when the head of the term at one of these places is a word for something that reviews judge. */
function isListed(text: string, language: LanguageCode, spans: readonly Span[]): boolean {
  const reader = readerOf(language);
  const heads = reader
    .candidates(text)
    .filter((candidate) => spans.some((span) => candidate.span.start <= span.start && candidate.span.end >= span.end))
    .map((candidate) => candidate.head);
  const words = spans.map((span) => text.slice(span.start, span.end).toLowerCase());
  const last = words.map((word) => word.split(/\s+/).at(-1) ?? word);
  const isKnown = (word: string) => reader.groupOf(word) !== undefined;
  return [...heads, ...words, ...last].some((word) => isKnown(word) || isKnown(word.replace(/s$/, "")));
}
