import { remember } from "../../text/remember.ts";
import * as english from "./english/english.ts";
import { type Described, describeAspect } from "./features.ts";
import * as korean from "./korean/korean.ts";
import { parseLayer, weighFeatures } from "./layer.ts";
import { findCues, type LanguageCode, languageOf, loadOnce, nameStructure, readData } from "./reading/language.ts";
import {
  type Candidate,
  type Features,
  type Marks,
  type Opinion,
  type Reading,
  readNear,
  readOverall,
  readScoped,
  type Span,
  type Structure,
} from "./reading/reading.ts";

export type AspectReading = { near: Reading; scoped: Reading; isListed: boolean; describe(): Features };

export type Reader = {
  version: string;
  candidates(text: string): Candidate[];
  opinions(text: string): Opinion[];
  marks(text: string): Marks;
  read(text: string, aspects: readonly Span[]): AspectReading[];
  overall(text: string): Reading;
  describeWhole(text: string, category: string | null, scoped: Reading): Features;
};

type Parts = {
  findCandidates(text: string): Candidate[];
  findMarks(text: string): Omit<Marks, "neutrals" | "structure">;
  readStructure(text: string, aspects: readonly Span[]): Structure;
};

/** How many texts each step remembers: more than one debate needs, so that parallel runs do not repeat work. */
const kept = 64;

function createReader(language: LanguageCode, parts: Parts): Reader {
  const structures = remember(kept, (key) => parts.readStructure(...(JSON.parse(key) as [string, Span[]])));
  const take = (text: string, aspects: readonly Span[]) => structures(JSON.stringify([text, aspects]));
  const overall = (text: string) => readOverall(take(text, []));
  const describe = (text: string, aspects: readonly Span[], own: Omit<Described, "structure" | "whole">) =>
    describeAspect({ structure: take(text, aspects), whole: overall(text), ...own });
  return {
    version: `parley ${language} 3`,
    candidates: remember(kept, parts.findCandidates),
    opinions: (text) => take(text, []).opinions,
    marks: remember(kept, (text) => ({
      ...parts.findMarks(text),
      neutrals: findCues(text, languageOf(language).neutral_cues, language),
      structure: nameStructure(text, language),
    })),
    read(text, aspects) {
      const structure = take(text, aspects);
      const [nearby, related] = [readNear(structure, aspects), readScoped(structure, aspects)];
      const places = aspects.map((span) => structure.place(span));
      return places.map((place, at) => {
        const [near, scoped] = [nearby[at] as Reading, related[at] as Reading];
        const others = places.filter((other) => other !== place);
        const isListed = place.group !== "other";
        return {
          near,
          scoped,
          isListed,
          describe: () => describe(text, aspects, { place, category: null, near, scoped, others }),
        };
      });
    },
    overall,
    describeWhole: (text, category, scoped) =>
      describe(text, [], { place: null, category, near: overall(text), scoped, others: [] }),
  };
}

const openAspects = loadOnce(() => parseLayer(readData("en/aspects.json"), "en/aspects.json"));

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
