/** What can be known of plain documents offline: their sentences with date and provenance, a search over them, how well one covers a question, what contradicts what, and their values. */
export { contradict, type Contradiction, findContradictions } from "./contradictions.ts";
export { findDates, formatDate, orderDate } from "./document-date.ts";
export { findAskedValue, findExpectation, isExpected } from "./expected-answer.ts";
export { type Material, type Passage, type ReadingLimits, selectMaterial } from "./material.ts";
export { countNewTerms, countSharedTerms, createRelevance, type Lens, lenses, type Relevance } from "./relevance.ts";
export { searchSentences } from "./search.ts";
export { type Document, type Sentence, splitSentences } from "./sentences.ts";
export { listTerms } from "./terms.ts";
export { readValues } from "./values/read-values.ts";
export { isSameValue, type Value } from "./values/value.ts";
