/** What a program knows of opinions in English and Korean texts: a text in, readings of its aspects out. No model, no debate. */
export type { Candidate, Marks, Opinion, Reader, Reading } from "./reading/reading.ts";
export { readerOf } from "./reader.ts";
export {
  type AspectView,
  isDoubtfulTarget,
  judgeByStructure,
  type NamedAspect,
  viewAspects,
  viewImplicit,
} from "./aspect-views.ts";

export type { Language, LanguageCode } from "./language/language.ts";
export { detectLanguage, readLanguageCode, languageOf } from "./language/detect-language.ts";
export { cutClause, findCues } from "./language/cues.ts";
export { toNormalForm, toPlainForm } from "./language/normal-form.ts";
export { findAspectGroup } from "./language/aspect-group.ts";

export { openLexicon } from "./english/words/lexicon.ts";
export { openKoreanLexicon } from "./korean/words/lexicon.ts";
export { readMorphemes } from "./korean/words/morpheme.ts";
