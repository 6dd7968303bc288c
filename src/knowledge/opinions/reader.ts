/** Readers of English and Korean: three readings of each aspect, and the learnt layer on top. */
import { remember } from "../../text/search.ts";
import { wordVector } from "../../text/vectors.ts";
import * as english from "./english/english.ts";
import { describeAspect } from "./features.ts";
import * as korean from "./korean/korean.ts";
import { findLayer, type Label, type Layer, parseLayer, pickLabel, type Shares, weighFeatures } from "./layer.ts";
import { findCues, type LanguageCode, languageOf, loadOnce, nameStructure, readData } from "./reading/language.ts";
import {
  type Candidate,
  type Features,
  type Marks,
  type Nominee,
  nameSign,
  type Opinion,
  type Polarity,
  type Reading,
  readNear,
  readOverall,
  readScoped,
  type Span,
  type Structure,
} from "./reading/reading.ts";

/** `predicates` are the verbs and adjectives of the aspect's clause, where they are learnt whole and not by letters. */
export type AspectReading = { near: Reading; scoped: Reading; predicates: string[]; describe(): Features };

/** A reader of one language; every answer depends on the text alone. */
export type Reader = {
  version: string;
  candidates(text: string): Candidate[];
  nominate(text: string): Nominee[];
  opinions(text: string): Opinion[];
  marks(text: string): Marks;
  read(text: string, aspects: readonly Span[]): AspectReading[];
  overall(text: string): Reading;
};

type Parts = {
  nominate(text: string): Nominee[];
  readStructure(text: string, aspects: readonly Span[]): Structure;
};

/** Texts cached per step: more than one debate needs, so that parallel runs do not repeat work. */
const kept = 64;

function createReader(language: LanguageCode, parts: Parts): Reader {
  const keyOf = (text: string, aspects: readonly Span[]) =>
    JSON.stringify([text, aspects.map(({ start, end }) => ({ start, end }))]);
  const structures = remember(kept, (key) => parts.readStructure(...(JSON.parse(key) as [string, Span[]])));
  const take = (text: string, aspects: readonly Span[]) => structures(keyOf(text, aspects));
  const overall = (text: string) => readOverall(take(text, []));
  /** All roles of a run read the same aspects, so each is described once. */
  const readings = remember(kept, (key): AspectReading[] => {
    const [text, aspects] = JSON.parse(key) as [string, Span[]];
    const structure = structures(key);
    const places = aspects.map((span) => structure.place(span));
    const [nearby, related] = [readNear(structure, places), readScoped(structure, places)];
    return places.map((place, at) => {
      const [near, scoped] = [nearby[at] as Reading, related[at] as Reading];
      const others = places.filter((other) => other !== place);
      let features: Features | undefined;
      const describe = () =>
        (features ??= describeAspect({ structure, place, near, scoped, whole: overall(text), others }));
      const predicates = (structure.reach === "clause" ? structure.words : [])
        .filter(({ kind, clause, index }) => {
          const isOutside = index < place.from || index >= place.to;
          return /^(verb|adjective)$/.test(kind) && clause === place.clause && isOutside;
        })
        .map(({ lemma }) => lemma);
      return { near, scoped, predicates, describe };
    });
  });
  return {
    version: `parley ${language} 5`,
    candidates: remember(kept, (text) => chooseAspects(openAspects[language](), parts.nominate(text))),
    nominate: parts.nominate,
    opinions: (text) => take(text, []).opinions,
    marks: remember(kept, (text) => {
      const { negation_cues, contrast_markers, irony_cues, neutral_cues } = languageOf(language);
      const find = (cues: readonly string[]) => findCues(text, cues, language);
      return {
        turns: find([...negation_cues, ...contrast_markers, ...irony_cues]),
        ironies: find(irony_cues),
        neutrals: find(neutral_cues),
        clauses: [...take(text, []).clauses],
        structure: nameStructure(text, language),
      };
    }),
    read: (text, aspects) => readings(keyOf(text, aspects)),
    overall,
  };
}

const openAspects: Record<LanguageCode, () => Layer> = {
  en: loadOnce(() => parseLayer(readData("en/aspects.json"), "en/aspects.json")),
  ko: loadOnce(() => parseLayer(readData("ko/aspects.json"), "ko/aspects.json")),
};

const leastShare = 0.45;

/** Of nominees that overlap, the likeliest, if their shares together say that there is an aspect. */
export function chooseAspects(layer: Layer, nominees: readonly Nominee[]): Candidate[] {
  const weighed = nominees.map(({ features, ...nominee }) => {
    return { ...nominee, confidence: weighFeatures(layer, features).positive };
  });
  const overlaps = (a: Nominee["span"], b: Nominee["span"]) => a.start < b.end && a.end > b.start;
  const chosen: Candidate[] = [];
  for (const one of weighed.toSorted((a, b) => b.confidence - a.confidence)) {
    if (chosen.some(({ span }) => overlaps(span, one.span))) continue;
    const rivals = weighed.filter(({ span }) => overlaps(span, one.span));
    chosen.push({
      ...one,
      confidence: Math.min(
        1,
        rivals.reduce((sum, { confidence }) => sum + confidence, 0),
      ),
    });
  }
  return chosen.filter(({ confidence }) => confidence >= leastShare).toSorted((a, b) => a.span.start - b.span.start);
}

const readers: Record<LanguageCode, Reader> = { en: createReader("en", english), ko: createReader("ko", korean) };

export function readerOf(language: LanguageCode): Reader {
  return readers[language];
}

/** All readings of an aspect, over all its places in the text; `learnt` is null without a layer. */
export type AspectView = {
  term: string;
  spans: Span[];
  near: Reading;
  scoped: Reading;
  whole: Reading;
  learnt: LearntReading | null;
};

export type LearntReading = Reading & { shares: Shares; label: Label };

export type NamedAspect = { term: string; span: Span };

/** Reads every aspect of a text, one view per term; "" is the text as a whole. */
export function viewAspects(text: string, language: LanguageCode, aspects: readonly NamedAspect[]): AspectView[] {
  const reader = readerOf(language);
  const layer = findLayer(language);
  const whole = reader.overall(text);
  const named = aspects.filter((aspect) => aspect.term !== "");
  const readings = reader.read(
    text,
    named.map((aspect) => aspect.span),
  );
  const terms = Map.groupBy(named.keys(), (at) => named[at]?.term ?? "");
  const views = [...terms].map(([term, places]): AspectView => {
    const own = places.map((at) => readings[at] as AspectReading);
    const [near, scoped] = [combine(own.map((one) => one.near)), combine(own.map((one) => one.scoped))];
    const learnt = layer && readLearnt(layer, own, { near, scoped });
    return { term, spans: places.map((at) => named[at]?.span as Span), near, scoped, whole, learnt };
  });
  if (aspects.length === named.length) return views;
  const learnt = layer && readLearnt(layer, reader.read(text, [{ start: 0, end: 0 }]), { near: whole, scoped: whole });
  const isHeard = whole.polarity === null && learnt !== null && learnt.confidence >= clear;
  return [...views, { term: "", spans: [], near: whole, scoped: whole, whole, learnt: isHeard ? learnt : null }];
}

/** How sure the layer must be of a text that names nothing and has no word that rates: "They answered within ten minutes." */
const clear = 0.6;

function combine(readings: Reading[]): Reading {
  const [first, ...rest] = readings.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!first || rest.length === 0) return first as Reading;
  const value = readings.reduce((sum, reading) => sum + reading.value, 0);
  const polarity = nameSign(value) ?? first.polarity;
  return { ...(readings.find((reading) => reading.polarity === polarity) ?? first), value, polarity };
}

/** The learnt layer's reading of an aspect, over all its places; its evidence is that of the readings that agree. */
function readLearnt(
  layer: Layer,
  places: readonly AspectReading[],
  { near, scoped }: { near: Reading; scoped: Reading },
): LearntReading {
  const all = places.map((place) => weighFeatures(layer, place.describe()));
  const mean = (label: Label) => all.reduce((sum, one) => sum + one[label], 0) / all.length;
  const shares = { positive: mean("positive"), negative: mean("negative"), neutral: mean("neutral") };
  const label = pickLabel(shares);
  const said = places.flatMap(({ predicates }) => predicates);
  const isKnown = (lemma: string) => layer.weights.has(`clause ${lemma}`) || wordVector(lemma) !== null;
  const isUnknown = said.length > 0 && !said.some(isKnown);
  const support = [near, scoped].find((reading) => reading.polarity === label) ?? null;
  return {
    label,
    shares,
    /** Without a supporting reading, what is said must be known: the name of a thing alone does not judge it. */
    polarity: support === null && (label === "neutral" || isUnknown) ? null : label,
    value: 3 * (shares.positive - shares.negative),
    confidence: Math.min(0.95, shares[label]),
    opinions: support?.opinions ?? [],
    evidence: (support ?? (near.opinions.length === 0 ? near : scoped)).evidence,
    via: "learnt",
  };
}

/**
 * The structural judgement of an aspect: the polarity of a relation; "neutral" when nearby opinions belong to
 * something else; null when it cannot tell, or the learnt layer rules it out.
 */
export function judgeByStructure({ term, near, scoped, learnt }: AspectView): Polarity | null {
  const { polarity, via, opinions } = scoped;
  const isGuess = via === "nearest" && near.polarity !== polarity;
  const isPassed = term !== "" && opinions.length === 0 && near.opinions.length > 0;
  const word = polarity === null ? (isPassed ? "neutral" : null) : isGuess ? null : polarity;
  return word === null || (learnt !== null && learnt.shares[word] < 0.49) ? null : word;
}
