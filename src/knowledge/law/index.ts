export { type CitedProvision, findCitedProvisions } from "./citations.ts";
export { parseCorpus, selectOwnItems } from "./corpus.ts";
export { readFrame } from "./frame.ts";
export { addItems, type Evidence, type Knowledge, loadKnowledge } from "./items.ts";
export { type Closeness, listCandidates, openCase, type Question } from "./open-case.ts";
export { type Route, type RouteLabel } from "./route.ts";
export { readGate, readNeed, search } from "./search.ts";
export { detectLanguage } from "./words.ts";
