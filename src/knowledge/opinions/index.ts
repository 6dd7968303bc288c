/** What a program knows of opinions in English and Korean texts: a text in, readings of its aspects out. No model, no debate. */
export {
  detectLanguage,
  findAspectGroup,
  findGroups,
  type LanguageCode,
  readOrders,
  stanceWords,
} from "./reading/language.ts";
export {
  type Answer,
  fewestLessons,
  digestText,
  judgeShares,
  type LabelledAspect,
  type LabelledText,
  type Lesson,
  learnLayer,
  makeLessons,
  measureAnswers,
} from "./learn.ts";
export {
  digestLayer,
  type Label,
  labels,
  type Layer,
  openLayer,
  parseLayer,
  readWith,
  weighFeatures,
} from "./layer.ts";
export { nominate } from "./english/english.ts";
export { type AspectReading, readerOf } from "./reader.ts";
export type { Marks, Opinion, Reading } from "./reading/reading.ts";
export {
  type AspectView,
  judgeByStructure,
  viewAspects,
  viewImplicit,
} from "./views.ts";
