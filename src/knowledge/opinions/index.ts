export {
  detectLanguage,
  findGroups,
  isForeign,
  type LanguageCode,
  readOrders,
  stanceWords,
} from "./reading/language.ts";
export {
  type Answer,
  digestText,
  fewestLessons,
  judgeShares,
  type LabelledText,
  type Lesson,
  learnLayer,
  makeLessons,
  measureAccuracy,
} from "./learn.ts";
export { digestLayer, type Label, type Layer, openLayer, parseLayer, readWith, weighFeatures } from "./layer.ts";
export { type AspectReading, type AspectView, judgeByStructure, readerOf, viewAspects } from "./reader.ts";
export type { Marks, Opinion, Reading } from "./reading/reading.ts";
