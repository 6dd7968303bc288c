import type { Problem } from "../../src/contract/turn.ts";
import type { SampledTurn } from "./sampled-turns.ts";
import { law } from "./truths/law.ts";
import { question } from "./truths/question.ts";
import { rootCause } from "./truths/root-cause.ts";
import { sentiment } from "./truths/sentiment.ts";
import type { Loose, Truth } from "./truths/truth.ts";

/**
 * What is untrue in a reply that was accepted, told from what the role was given and nothing else: written a second
 * time here, so that a check that looks away is found. A reply of a shape that nothing is known of is an error.
 */
export function liesIn({ pack, input }: SampledTurn, reply: unknown, problems: readonly Problem[] = []): string[] {
  const said = reply as Loose;
  const truths = known[pack]?.find(({ has }) => has.every((key) => key in said));
  if (!truths)
    throw new Error(
      `nothing is known of replies of the ${pack} pack with ${Object.keys(said).join(", ")}: add it to its truths`,
    );
  const lies = [...numberLies(reply, ""), ...truths.lies(said, input as Loose)];
  return lies.filter((one) => !(one.startsWith("the evidence") && problems.some(isFlag)));
}

/** Evidence outside the text that the protocol strikes later, because it counts it, is flagged in the turn. */
function isFlag({ code, severity }: Problem): boolean {
  return code === "evidence_not_in_text" && severity === "salvage";
}

const shares = new Set(["confidence", "consistency_score", "final_consistency_score"]);

/** Numbers are finite, and what is called a confidence is a share. */
function numberLies(value: unknown, key: string): string[] {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return [`${key} is ${value}`];
    return shares.has(key) && (value < 0 || value > 1) ? [`${key} is ${value}`] : [];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => numberLies(inner, Array.isArray(value) ? key : name));
}

const known: Record<string, Truth[]> = { question, "root-cause": rootCause, law, sentiment };
