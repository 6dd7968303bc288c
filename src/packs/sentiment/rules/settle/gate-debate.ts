import type { SentimentConfig } from "../../config/resolve-config.ts";
import { pickThresholds } from "../../config/profiles.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { DebateOutput } from "../../schemas/debate-output.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
import { type GateInput, type GateOutcome, overrideGate } from "../gate/override-gate.ts";
import { createMemoryAdvice } from "../memory/memory-desk.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

/** A case with its debate, as the gate and the settling see it. */
export type DebatedCase<D extends DebateOutput> = {
  turns: CaseTurns;
  debate: D;
  context: ReviewContext;
  matcher: AspectMatcher;
  config: SentimentConfig;
};

/** Runs the override gate on a debate of either style; null when it is switched off (sentiment spec §6). */
export function gateDebate(
  { turns, debate, context, matcher, config }: DebatedCase<DebateOutput>,
  sentiments: readonly Sentiment[],
  acceptsAddition: GateInput["acceptsAddition"],
): GateOutcome | null {
  if (!config.enable_debate_override) return null;
  return overrideGate({
    text: turns.text,
    text_id: turns.text_id,
    sentiments,
    risks: turns.stage1.validator?.structural_risks ?? [],
    review_context: context,
    thresholds: pickThresholds(config.debate_override),
    memoryAdvisesAgainst: createMemoryAdvice(debate.memory.injected, matcher),
    acceptsAddition,
  });
}
