/** What can be known of plain documents offline: their statements with date and provenance, a search over them, what a question asks for, what holds now, and what contradicts what. */
export { type Asked, findAsked, findName, readQuestion } from "./asked.ts";
export { type Coverage, hasKey, createRanking, measureCoverage } from "./search.ts";
export { readStatements, type Source, type Statement } from "./statements.ts";
export { applyChanges, contradict, findChanges, findConflicts, isAboutSame, isSuperseding } from "./validity.ts";
export { sayingsFor, words } from "./words.ts";
