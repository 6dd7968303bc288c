/** The endings of the files that are read as texts. */
export const tableEndings = [".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson", ".txt"];
