export { findCitedProvisions } from "./citations.ts";
export { parseCorpus, selectOwnItems } from "./corpus.ts";
export { readFrame } from "./frame.ts";
export { addItems, type Evidence, type Knowledge, loadKnowledge } from "./items.ts";
export { type Closeness, listCandidates, openCase } from "./open-case.ts";
export { readGate, readNeed, search } from "./search.ts";
export { detectLanguage } from "./words.ts";
