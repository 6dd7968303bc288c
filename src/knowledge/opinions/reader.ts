/** The readers of English and Korean. */
import { remember } from "../../text/remember.ts";
import {
  analyse as analyseEnglish,
  findCandidates as findEnglishCandidates,
  findMarks as findEnglishMarks,
  readStructure as readEnglishStructure,
} from "./english/english.ts";
import { openVocabulary as openEnglishVocabulary } from "./english/lexicon.ts";
import { findCandidates as findKoreanCandidates } from "./korean/candidates.ts";
import { findKoreanMarks } from "./korean/marks.ts";
import { analyse as analyseKorean, readStructure as readKoreanStructure } from "./korean/structure.ts";
import { openVocabulary as openKoreanVocabulary } from "./korean/words/lexicon.ts";
import { findCues, type LanguageCode, languageOf, readStructure } from "./reading/language.ts";
import { describeAspect } from "./features.ts";
import {
  type Candidate,
  type Marks,
  type Reader,
  type Reading,
  readNear,
  readOverall,
  readScoped,
  type Span,
  type Structure,
} from "./reading/reading.ts";
import type { Vocabulary } from "./reading/data.ts";

/** What a language brings along; what is made of it is the same in every language. */
type Parts = {
  candidates(text: string): Candidate[];
  marks(text: string): Omit<Marks, "neutrals" | "structure">;
  structure(text: string, aspects: readonly Span[]): Structure;
  vocabulary(): Vocabulary;
};

const parts: Record<LanguageCode, Parts> = {
  en: {
    candidates: (text) => findEnglishCandidates(analyseEnglish(text)),
    marks: (text) => findEnglishMarks(analyseEnglish(text)),
    structure: readEnglishStructure,
    vocabulary: openEnglishVocabulary,
  },
  ko: {
    candidates: (text) => findKoreanCandidates(analyseKorean(text)),
    marks: (text) => findKoreanMarks(analyseKorean(text)),
    structure: readKoreanStructure,
    vocabulary: openKoreanVocabulary,
  },
};

/** How many texts each step remembers: more than one debate needs, so that parallel runs do not repeat work. */
const kept = 64;

function createReader(language: LanguageCode): Reader {
  const own = parts[language];
  const structures = remember(kept, (key) => {
    const { text, aspects } = JSON.parse(key) as { text: string; aspects: Span[] };
    return own.structure(text, aspects);
  });
  const structure = (text: string, aspects: readonly Span[]) => structures(JSON.stringify({ text, aspects }));
  return {
    language,
    candidates: remember(kept, own.candidates),
    version: `parley ${language} 1`,
    opinions: (text) => structure(text, []).opinions,
    marks: remember(kept, (text) => ({
      ...own.marks(text),
      neutrals: findCues(text, languageOf(language).neutral_cues, language),
      structure: readStructure(text, language),
    })),
    near: (text, aspects) => readNear(structure(text, aspects), aspects),
    scoped: (text, aspects) => readScoped(structure(text, aspects), aspects),
    overall: (text) => readOverall(structure(text, [])),
    describe(text, aspects) {
      const [whole, own] = [structure(text, []), structure(text, aspects)];
      const [near, scoped, overall] = [readNear(own, aspects), readScoped(own, aspects), readOverall(whole)];
      const places = aspects.map((span) => own.place(span));
      return places.map((place, index) =>
        describeAspect({
          structure: own,
          place,
          category: null,
          near: near[index] as Reading,
          scoped: scoped[index] as Reading,
          whole: overall,
          others: places.filter((other) => other !== place),
        }),
      );
    },
    describeWhole(text, category, scoped) {
      const own = structure(text, []);
      const whole = readOverall(own);
      return describeAspect({
        structure: own,
        place: null,
        category,
        near: whole,
        scoped,
        whole,
        others: [],
      });
    },
    groupOf: (word) => own.vocabulary().groups.get(word),
  };
}

const readers: Record<LanguageCode, Reader> = { en: createReader("en"), ko: createReader("ko") };

/** The reader of a language. */
export function readerOf(language: LanguageCode): Reader {
  return readers[language];
}
