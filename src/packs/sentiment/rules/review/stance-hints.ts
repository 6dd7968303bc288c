import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import { inferLabel } from "../moderate/infer-label.ts";
import type { StanceSummary, StanceTurn } from "../../schemas/debate.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { Hint } from "../../schemas/stage2.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

/** How much a stance weighs and which polarity it argues for (sentiment spec §4). */
export function readStance(stance: string): { weight: number; polarity: Polarity } {
  const word = stance.trim().toLowerCase();
  if (word === "pro") return { weight: 1, polarity: "positive" };
  if (word === "con") return { weight: 1, polarity: "negative" };
  return { weight: word === "neutral" ? 0.6 : 0.8, polarity: "neutral" };
}

export function toStanceHint(turn: StanceTurn): Hint {
  const { weight, polarity } = readStance(turn.stance);
  return toHint(turn.agent, turn.stance, weight, polarity);
}

/** The judge's vote on each aspect it names in consensus or agreements, else on all that were discussed (sentiment spec §4). */
export function toJudgeHints(
  summary: StanceSummary,
  discussed: readonly string[],
  matcher: AspectMatcher,
): { aspect: string; hint: Hint }[] {
  const polarity = canonicalisePolarity(inferLabel(summary, null));
  if (polarity === null) return [];
  const named = matcher.named([summary.consensus ?? "", ...summary.key_agreements].join("\n"));
  const hint = toHint("judge", "judge", 0.8, polarity);
  return (named.length > 0 ? named : discussed).map((aspect) => ({ aspect, hint }));
}

function toHint(speaker: string, stance: string, weight: number, polarity: Polarity): Hint {
  return {
    speaker,
    stance,
    weight,
    polarity_hint: polarity,
    provenance_hint: `source:${speaker}/${stance}`,
    removal: false,
    removes: null,
    confidence: null,
  };
}
