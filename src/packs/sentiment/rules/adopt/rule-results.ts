import type { GateOutcome } from "../gate/override-gate.ts";
import type { WorkingList } from "../apply/working-list.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { Correction } from "../../schemas/outcome.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
import type { PatchOutcome } from "../settle/settle-debate.ts";

/** What the rules up to adoption made of a case. */
export type RuleResults = {
  turns: CaseTurns;
  context: ReviewContext | null;
  reviewed: WorkingList & { corrections: Correction[] };
  /** Null without a patch debate. */
  patch: PatchOutcome | null;
  gate: GateOutcome | null;
  /** The reviewed list after the override. */
  patched: readonly Sentiment[];
};
