import type { LanguageCode } from "./language/language.ts";
import { analyse as analyseEnglish } from "./english/analyse.ts";
import { findCandidates as englishCandidates } from "./english/candidates.ts";
import { englishMarks } from "./english/marks.ts";
import { structureOf as englishStructure } from "./english/structure.ts";
import { findCandidates as koreanCandidates } from "./korean/candidates.ts";
import { koreanMarks } from "./korean/marks.ts";
import { analyse as analyseKorean, structureOf as koreanStructure } from "./korean/structure.ts";
import { readNear, readOverall, readScoped } from "./reading/read-aspects.ts";
import type { Candidate, Marks, Reader, Span } from "./reading/reading.ts";
import { remember } from "./reading/remember.ts";
import type { Structure } from "./reading/structure.ts";

type Parts = {
  candidates(text: string): Candidate[];
  marks(text: string): Marks;
  structure(text: string, aspects: readonly Span[]): Structure;
};

const english: Parts = {
  candidates: (text) => englishCandidates(analyseEnglish(text)),
  marks: (text) => englishMarks(analyseEnglish(text)),
  structure: englishStructure,
};

const korean: Parts = {
  candidates: (text) => koreanCandidates(analyseKorean(text)),
  marks: (text) => koreanMarks(analyseKorean(text)),
  structure: koreanStructure,
};

/** How many texts each step remembers: more than one debate needs, so that parallel runs do not repeat work. */
const kept = 64;

function createReader(language: LanguageCode, parts: Parts): Reader {
  const candidates = remember(kept, parts.candidates);
  const marks = remember(kept, parts.marks);
  const structures = remember(kept, (key) => {
    const { text, aspects } = JSON.parse(key) as { text: string; aspects: Span[] };
    return parts.structure(text, aspects);
  });
  const structure = (text: string, aspects: readonly Span[]) => structures(JSON.stringify({ text, aspects }));
  return {
    language,
    candidates,
    marks,
    near: (text, aspects) => readNear(structure(text, aspects), aspects),
    scoped: (text, aspects) => readScoped(structure(text, aspects), aspects),
    overall: (text) => readOverall(structure(text, [])),
  };
}

const readers: Record<LanguageCode, Reader> = { en: createReader("en", english), ko: createReader("ko", korean) };

/** The reader of a language. */
export function readerOf(language: LanguageCode): Reader {
  return readers[language];
}
