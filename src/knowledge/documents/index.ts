/** What can be known of plain documents offline: their sentences, a search over them, how well one covers a question, and their numbers. */
export { isExpected } from "./expected-answer.ts";
export { findScale, multiply, readTokens } from "./numbers.ts";
export { createRelevance, type Lens, lenses, type Relevance } from "./relevance.ts";
export { searchSentences } from "./search.ts";
export { type Document, type Sentence, splitSentences } from "./sentences.ts";
export { listTerms } from "./terms.ts";
export { readValues } from "./values/read-values.ts";
export { isSameValue, type Value } from "./values/value.ts";
