import type { Problem } from "../contract/turn.ts";
import { cutExcerpt } from "./cut-excerpt.ts";
import type { Played } from "./player.ts";

/** What is read of a reply: what came back, and why it stopped. */
export type Given = Pick<Played, "reply" | "finish"> &
  Partial<Pick<Played, "usage">> & { outputLimit?: number | undefined };

/** The code of a reply that was cut off at the output limit: a repair needs a larger one. */
export const truncated = "truncated";

/** What is wrong with a reply because of how it ended, whatever it says; null when it ended as it should. */
export function findStopProblem(given: Given, text: string): Problem | null {
  const explain = explanations[given.finish ?? ""];
  return explain ? explain(given, text) : null;
}

const explanations: Record<string, (given: Given, text: string) => Problem> = {
  length: ({ outputLimit, usage }) => reject(truncated, explainCut(outputLimit, usage?.reasoningTokens ?? 0)),
  "content-filter": (_, text) => reject("refused", `the provider withheld the reply: ${cutExcerpt(text)}`),
  oversize: (_, text) =>
    reject(
      "oversize",
      `the reply grew past the size that is read (max_reply_bytes) and was cut; the ${text.length} characters before that are kept: answer more briefly`,
    ),
  "reasoning-only": () =>
    reject("reasoning_only", "the model reasoned and then said nothing; give the JSON object as the reply itself"),
};

function explainCut(limit: number | undefined, reasoning: number): string {
  if (limit === undefined) return "the reply was cut off at the output limit; answer more briefly";
  const thought = reasoning > 0 ? ` (${reasoning} of them reasoning)` : "";
  return `the reply was cut off at ${limit} tokens${thought}: raise max_output_tokens, or answer more briefly`;
}

function reject(code: string, message: string): Problem {
  return { code, message, severity: "reject", path: [] };
}
