import type { SentimentConfig } from "../config/config.ts";
import { type GateOutcome, overrideGate } from "../gate/override-gate.ts";
import { memoryAdvisesAgainst } from "../memory/memory-advice.ts";
import type { WorkingList } from "../review/working-list.ts";
import type { CaseTurns } from "../schemas/case-turns.ts";
import type { DebateOutput } from "../schemas/debate-output.ts";
import type { ReviewContext } from "../schemas/stage2.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";
import { thresholdsOf } from "./patch-rules.ts";

/** The gate of a stance debate: its judge has no tuples, so every addition that is in the text may pass (section 6). */
export function stanceRules(input: {
  turns: CaseTurns;
  debate: DebateOutput;
  context: ReviewContext;
  reviewed: WorkingList;
  matcher: AspectMatcher;
  config: SentimentConfig;
}): GateOutcome | null {
  const { turns, config } = input;
  if (!config.enable_debate_override) return null;
  return overrideGate({
    text: turns.text,
    text_id: turns.text_id,
    sentiments: input.reviewed.sentiments,
    risks: turns.stage1.validator?.structural_risks ?? [],
    review_context: input.context,
    thresholds: thresholdsOf(config),
    memoryAdvisesAgainst: memoryAdvisesAgainst(input.debate.memory.injected, input.matcher),
    acceptsAddition: () => true,
  });
}
