import { ParleyError } from "../../../contract/error.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";

/** What of an answer is compared: its text and its claims, and its embedding where there is one; or plain text. */
export type Comparable = string | { answer: string; claims: { statement: string }[]; vector?: number[] };

export type StabilityMetric = "token" | "semantic";

/** How much an answer changed, 0..1 (law spec §4): 1 − Dice over stemmed token multisets, or 1 − cosine of embeddings. */
export function answerChange(before: Comparable, after: Comparable, metric: StabilityMetric = "token"): number {
  if (metric === "token") return 1 - dice(countsOf(stemTokens(textOf(before))), countsOf(stemTokens(textOf(after))));
  return Math.min(1, Math.max(0, 1 - cosine(vectorOf(before), vectorOf(after))));
}

function vectorOf(answer: Comparable): number[] {
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

type Counts = Map<string, number>;

function countsOf(tokens: string[]): Counts {
  const counts: Counts = new Map();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** Two empty multisets are the same. */
function dice(a: Counts, b: Counts): number {
  const total = sum(a.values()) + sum(b.values());
  if (total === 0) return 1;
  const shared = sum([...a].map(([token, count]) => Math.min(count, b.get(token) ?? 0)));
  return (2 * shared) / total;
}

function cosine(a: number[], b: number[]): number {
  const dot = sum(a.map((value, index) => value * (b[index] ?? 0)));
  const norms = Math.hypot(...a) * Math.hypot(...b);
  return norms === 0 ? 0 : dot / norms;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
