export { findCitedProvisions } from "./citations.ts";
export { parseCorpus, selectOwnItems } from "./corpus.ts";
export { findForeignLaw, readFrame } from "./frame.ts";
export { addItems, type Evidence, type Knowledge, loadKnowledge } from "./items.ts";
export { type Closeness, listCandidates, openCase, type Reading, readRefusal, readRoute } from "./open-case.ts";
export { readNeed, search } from "./search.ts";
export { detectLanguage } from "./words.ts";
