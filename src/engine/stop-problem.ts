import type { Problem } from "../contract/turn.ts";
import { cutExcerpt } from "./cut-excerpt.ts";
import { type ProblemWords, problemWords } from "./problem-words.ts";
import type { Played } from "./player.ts";
import { refused } from "./refusal.ts";

/** What is read of a reply: what came back, and why it stopped. */
export type Given = Pick<Played, "reply" | "finish"> &
  Partial<Pick<Played, "usage">> & { outputLimit?: number | undefined };

/** The code of a reply that was cut off at the output limit: a repair needs a larger one. */
export const truncated = "truncated";

/** What is wrong with a reply because of how it ended, whatever it says; null when it ended as it should. */
export function findStopProblem(given: Given, text: string, tell: ProblemWords = problemWords()): Problem | null {
  const explain = explanations[given.finish ?? ""];
  return explain ? explain(given, text, tell) : null;
}

const explanations: Record<string, (given: Given, text: string, tell: ProblemWords) => Problem> = {
  length: ({ outputLimit, usage }, _, tell) =>
    reject(truncated, outputLimit === undefined ? tell.cut() : tell.cutAt(outputLimit, usage?.reasoningTokens ?? 0)),
  "content-filter": (_, text, tell) => reject(refused, tell.withheld(cutExcerpt(text))),
  oversize: (_, text, tell) => reject("oversize", tell.oversize(text.length)),
  "reasoning-only": (_, __, tell) => reject("reasoning_only", tell.reasoningOnly()),
};

function reject(code: string, message: string): Problem {
  return { code, message, severity: "reject", path: [] };
}
