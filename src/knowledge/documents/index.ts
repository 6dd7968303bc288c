/** What can be known of plain documents offline: their statements with date and provenance, a search over them, what a question asks for, what holds now, and what contradicts what. */
export { type Asked, isGiven, listKeys, listNames, listSpans, readQuestion, shareWords, type Span } from "./asked.ts";
export { type Coverage, hasKey, makeScope, measureCoverage, type Scope, searchStatements, shareOf } from "./search.ts";
export { readStatements, type Source, type Statement } from "./statements.ts";
export { applyChanges, contradict, findChanges, findConflicts, isAboutSame, isSuperseding } from "./validity.ts";
export { listTerms, sayingsFor, termsIn, words } from "./words.ts";
