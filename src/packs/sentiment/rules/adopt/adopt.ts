import type { SentimentConfig } from "../../config/resolve-config.ts";
import type { AdoptReason, Adoption, EvComponents, SkipReason } from "../../schemas/outcome.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import { isBelow } from "../tuples/is-below.ts";
import { keepStated } from "../tuples/stated.ts";
import { computeEvScore, keepExplicit } from "./ev-score.ts";

export type AdoptInput = {
  stage1: readonly Sentiment[];
  /** The Stage 2 list with every change applied. */
  patched: readonly Sentiment[];
  /** The settled tuples; null where there are none (no patch debate). */
  settled: readonly Sentiment[] | null;
  /** True when a correction that was not reverted resolved a Stage 1 risk. */
  riskResolved: boolean;
  /** True when an override was applied or the settled tuples differ. */
  debateActed: boolean;
  /** True when an applied override and the judge disagree on an aspect. */
  overrideContradicted: boolean;
  gateReason: SkipReason | null;
  components: EvComponents;
};

/** Decides whether the result replaces Stage 1 (sentiment spec §7): a candidate that the EV score carries. */
export function adopt(input: AdoptInput, config: Pick<SentimentConfig, "debate_override" | "ev_weights">): Adoption {
  const ev_score = computeEvScore(input.components, config.ev_weights);
  const end = (adopted: boolean, candidate: boolean, reason: AdoptReason): Adoption => ({
    adopted,
    candidate,
    reason,
    ev_score,
    ev_components: input.components,
  });
  const reason = findCandidateReason(input);
  if (reason === null)
    return end(false, false, holdsNothing(input) ? "low_signal" : (input.gateReason ?? "low_signal"));
  if (input.overrideContradicted) return end(false, true, "conflict_blocked");
  if (isBelow(ev_score, config.debate_override.ev_threshold)) return end(false, true, "ev_below_threshold");
  return end(true, true, reason);
}

function findCandidateReason(input: AdoptInput): AdoptReason | null {
  if (holdsNothing(input)) return null;
  if (input.riskResolved) return "risk_resolved";
  if (input.debateActed) return "debate_action";
  const improved = [input.patched, input.settled ?? []].some((list) => keepExplicit(list).length > 0);
  return keepExplicit(input.stage1).length === 0 && improved ? "grounding_improved" : null;
}

function holdsNothing({ stage1, patched, settled }: AdoptInput): boolean {
  return [stage1, patched, settled ?? []].every((list) => keepStated(list).length === 0);
}

const canon: Record<string, string[]> = {
  low_ev: ["ev_below_threshold", "low_signal", "max_one_override_per_sample", "neutral_only", "already_confident"],
  conflict: ["l3_conservative", "conflict_blocked", "action_ambiguity", "implicit_soft_only", "low_confidence"],
  no_evidence: ["no_evidence_span", "evidence_span_not_in_text", "evidence_span_missing_trigger"],
  memory_contradiction: ["contradictory_memory"],
};

/** The reason of the integrity checks that a refusal maps into (sentiment spec §9); null when it maps into none. */
export function mapRefusal(reason: string): string | null {
  return Object.entries(canon).find(([, reasons]) => reasons.includes(reason))?.[0] ?? null;
}
