import type { ToldTurn } from "../../../contract/story.ts";
import type { FinalOutput } from "../schemas/final-output.ts";

/** What a turn is told from: the decision where there is one, and what Stage 1 said of each aspect. */
export type Teller = { decision: FinalOutput | null; stage1: Map<string, string> };

/** What a turn says, and its points. */
export type Said = Pick<ToldTurn, "says" | "points">;
