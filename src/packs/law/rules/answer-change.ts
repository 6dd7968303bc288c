import { ParleyError } from "../../../contract/error.ts";
import { cosine } from "../../../text/cosine.ts";
import { dice } from "../../../text/dice.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";

/** What of an answer is compared: its text and its claims, and its embedding where there is one; or plain text. */
export type Comparable = string | { answer: string; claims: { statement: string }[]; vector?: number[] };

export type StabilityMetric = "token" | "semantic";

/** How much an answer changed, 0..1 (law spec §4.3): 1 − Dice over stemmed token multisets, or 1 − cosine of embeddings. */
export function answerChange(before: Comparable, after: Comparable, metric: StabilityMetric = "token"): number {
  if (metric === "token") return 1 - dice(stemTokens(textOf(before)), stemTokens(textOf(after)), 1);
  return Math.min(1, Math.max(0, 1 - cosine(getVector(before), getVector(after))));
}

function getVector(answer: Comparable): number[] {
  if (typeof answer === "object" && answer.vector) return answer.vector;
  throw new ParleyError(
    "bad_config",
    'stability.metric "semantic" needs the embedding of every answer; use "token" without one',
  );
}

/** The text that is compared: the answer and its claims' statements. */
export function textOf(answer: Comparable): string {
  return typeof answer === "string"
    ? answer
    : [answer.answer, ...answer.claims.map((claim) => claim.statement)].join("\n");
}
