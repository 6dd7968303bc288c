/** A row as a format gives it, before the pack has checked it; `at` says where it stands in the file. */
export type RawCase = { id: string | null; input: unknown; gold: unknown; strata: Record<string, string>; at: string };

/** One case of a study. Players are given `input` only; `gold` meets nothing but the finished decision. */
export type StudyCase = { id: string; input: unknown; gold: unknown; strata: Record<string, string> };
