/** One case of a study. Players are given `input` only; `gold` meets nothing but the finished decision. */
export type StudyCase = { id: string; input: unknown; gold: unknown; strata: Record<string, string> };
