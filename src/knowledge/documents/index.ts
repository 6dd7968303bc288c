/** Plain documents, offline: statements with date and provenance, search, parsed questions, validity, contradictions. */
export * from "./asked.ts";
export * from "./search.ts";
export * from "./statements.ts";
export * from "./validity.ts";
export * from "./words.ts";
