import type { SentimentConfig } from "../../config/resolve-config.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";

/** The turns that count under a config: what is switched off was not said (sentiment spec §1). */
export function keepCountedTurns(turns: CaseTurns, config: SentimentConfig): CaseTurns {
  const debates = config.enable_debate && config.protocol === "debate";
  const reviews = config.enable_stage2 && config.protocol === "debate";
  const { stage1, stage2 } = turns;
  return {
    ...turns,
    stage1: config.enable_validator ? stage1 : { ...stage1, validator: null },
    debate: debates ? turns.debate : null,
    stage2: reviews && stage2 ? { ...stage2, validator: config.enable_validator ? stage2.validator : null } : null,
  };
}
