import type { Finished } from "../../../engine/pack.ts";
import type { EscalationConfig } from "../rules/escalation-reasons.ts";
import type { LawDecision } from "../schemas/decision.ts";

/** A finished law debate, with as much of its config as the rules need to come out the same again. */
export type LawFinished = Finished<unknown, EscalationConfig, LawDecision>;
