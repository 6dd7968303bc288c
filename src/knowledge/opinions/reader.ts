/** The readers of English and Korean: what a text says of an aspect by three readings, and what a learnt layer makes of it. */
import { remember } from "../../text/search.ts";
import * as english from "./english/english.ts";
import { describeAspect } from "./features.ts";
import * as korean from "./korean/korean.ts";
import { findLayer, type Label, type Layer, parseLayer, pickLabel, type Shares, weighFeatures } from "./layer.ts";
import { findCues, type LanguageCode, languageOf, loadOnce, nameStructure, readData } from "./reading/language.ts";
import {
  type Candidate,
  type Features,
  type Marks,
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

/** What the rules say of one aspect, and what a layer is told of it. */
export type AspectReading = { near: Reading; scoped: Reading; describe(): Features };

/** What the experts can do with a text of one language; every answer is a function of the text alone. */
export type Reader = {
  version: string;
  candidates(text: string): Candidate[];
  opinions(text: string): Opinion[];
  marks(text: string): Marks;
  read(text: string, aspects: readonly Span[]): AspectReading[];
  overall(text: string): Reading;
};

type Parts = {
  findCandidates(text: string): Candidate[];
  findMarks(text: string): Omit<Marks, "neutrals" | "structure">;
  readStructure(text: string, aspects: readonly Span[]): Structure;
};

/** How many texts each step remembers: more than one debate needs, so that parallel runs do not repeat work. */
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
      return { near, scoped, describe };
    });
  });
  return {
    version: `parley ${language} 4`,
    candidates: remember(kept, parts.findCandidates),
    opinions: (text) => take(text, []).opinions,
    marks: remember(kept, (text) => ({
      ...parts.findMarks(text),
      neutrals: findCues(text, languageOf(language).neutral_cues, language),
      structure: nameStructure(text, language),
    })),
    read: (text, aspects) => readings(keyOf(text, aspects)),
    overall,
  };
}

const openAspects = loadOnce(() => parseLayer(readData("en/aspects.json"), "en/aspects.json"));

/** From this share on a noun phrase of an English text counts as an aspect; what is none is mostly rated as nothing later. */
const leastShare = 0.35;

function findEnglishAspects(text: string): Candidate[] {
  return english
    .nominate(text)
    .filter(({ features }) => weighFeatures(openAspects(), features).positive >= leastShare)
    .map(({ features: _features, ...candidate }) => candidate);
}

const readers: Record<LanguageCode, Reader> = {
  en: createReader("en", { ...english, findCandidates: findEnglishAspects }),
  ko: createReader("ko", korean),
};

export function readerOf(language: LanguageCode): Reader {
  return readers[language];
}

/** What each reading says of an aspect, all its places in the text together; `learnt` is null where there is no layer. */
export type AspectView = {
  term: string;
  spans: Span[];
  near: Reading;
  scoped: Reading;
  whole: Reading;
  learnt: LearntReading | null;
};

/** A reading whose confidence is a calibrated probability, with those of the other answers. */
export type LearntReading = Reading & { shares: Shares; label: Label };

export type NamedAspect = { term: string; span: Span; confidence: number };

/** Reads every aspect of a text, one view per term; the implicit "" is the text as a whole. */
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
    const isNamed = places.some((at) => (named[at]?.confidence ?? 0) >= sure);
    const learnt = layer && readLearnt(layer, own, { near, scoped, isNamed });
    return { term, spans: places.map((at) => named[at]?.span as Span), near, scoped, whole, learnt };
  });
  const implicit = { term: "", spans: [], near: whole, scoped: whole, whole, learnt: null };
  return aspects.length > named.length ? [...views, implicit] : views;
}

/** From here on an aspect counts as named for being judged; below, a mention needs an opinion in its sentence. */
const sure = 0.8;

const sureAlone = 0.6;

function combine(readings: Reading[]): Reading {
  const [first, ...rest] = readings.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!first || rest.length === 0) return first as Reading;
  const value = readings.reduce((sum, reading) => sum + reading.value, 0);
  const polarity = nameSign(value) ?? first.polarity;
  return { ...(readings.find((reading) => reading.polarity === polarity) ?? first), value, polarity };
}

/** What a layer makes of an aspect, all its places together; the opinions it stands on are those of the readings that agree. */
function readLearnt(
  layer: Layer,
  places: readonly AspectReading[],
  { near, scoped, isNamed }: { near: Reading; scoped: Reading; isNamed: boolean },
): LearntReading {
  const all = places.map((place) => weighFeatures(layer, place.describe()));
  const mean = (label: Label) => all.reduce((sum, one) => sum + one[label], 0) / all.length;
  const shares = { positive: mean("positive"), negative: mean("negative"), neutral: mean("neutral") };
  const label = pickLabel(shares);
  const support = [near, scoped].find((reading) => reading.polarity === label) ?? null;
  return {
    label,
    shares,
    /** Where no reading bears it out, only what is surely judged or surely learnt is a judgement. */
    polarity: support === null && (label === "neutral" || (!isNamed && shares[label] < sureAlone)) ? null : label,
    value: 3 * (shares.positive - shares.negative),
    confidence: shares[label],
    opinions: support?.opinions ?? [],
    evidence: (support ?? (near.opinions.length === 0 ? near : scoped)).evidence,
    via: "learnt",
  };
}

/**
 * What the structure of the text says of an aspect: the polarity of a relation; "neutral" when the opinions near it
 * belong to something else; null when it cannot tell, or when what was learnt rules it out.
 */
export function judgeByStructure({ term, near, scoped, learnt }: AspectView): Polarity | null {
  const { polarity, via, opinions } = scoped;
  const isGuess = via === "nearest" && near.polarity !== polarity;
  const isPassed = term !== "" && opinions.length === 0 && near.opinions.length > 0;
  const word = polarity === null ? (isPassed ? "neutral" : null) : isGuess ? null : polarity;
  return word === null || (learnt !== null && learnt.shares[word] < 0.49) ? null : word;
}
