/** Plain documents, offline: statements with date and provenance, search, parsed questions, validity, contradictions. */
export { type Asked, isGiven, listKeys, listNames, listSpans, readQuestion, shareWords, type Span } from "./asked.ts";
export {
  hasKey,
  type Meeting,
  measureMeeting,
  type Scope,
  searchStatements,
  type Weights,
  weighWords,
} from "./search.ts";
export { readStatements, type Source, type Statement } from "./statements.ts";
export { applyChanges, contradict, findChanges, findConflicts, isAboutSame, isSuperseding } from "./validity.ts";
export { listTerms, sayingsFor, termsIn, words } from "./words.ts";
