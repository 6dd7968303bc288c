/** What a program knows of opinions in English and Korean texts: a text in, readings of its aspects out. No model, no debate. */
export type { Candidate, Marks, Opinion, Reader, Reading } from "./reading/reading.ts";
export { readerOf } from "./reader.ts";
export {
  type AspectView,
  isNamedSurely,
  isRuledOut,
  judgeByStructure,
  type NamedAspect,
  viewAspects,
  viewImplicit,
} from "./aspect-views.ts";
export type { LearntReading } from "./learnt-reading.ts";
export { type LabelledAspect, type LabelledText, type Lesson, digestText, makeLessons } from "./labelled-text.ts";
export { type Learnt, learnLayer, measureAnswers, type Source } from "./learn-layer.ts";
export { measureMiscalibration, type ReliabilityRow, tabulateReliability } from "./learnt/calibrate.ts";
export { type Answer, judgeShares } from "./learnt/cross-validate.ts";
export { type Label, labels } from "./learnt/fit.ts";
export { type Layer, parseLayer, weighFeatures } from "./learnt/layer.ts";
export { defaultLayers, digestLayer, type LayerNames, openLayer, readWith } from "./learnt/layers.ts";
export { isDoubtfulTarget } from "./doubtful-target.ts";

export type { Language, LanguageCode } from "./language/language.ts";
export { detectLanguage, readLanguageCode, languageOf } from "./language/detect-language.ts";
export { cutClause, findCues } from "./language/cues.ts";
export { toNormalForm, toPlainForm } from "./language/normal-form.ts";
export { findAspectGroup } from "./language/aspect-group.ts";

export { openLexicon } from "./english/words/lexicon.ts";
export { openKoreanLexicon } from "./korean/words/lexicon.ts";
export { readMorphemes } from "./korean/words/morpheme.ts";
