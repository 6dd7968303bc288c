/** Runs the override gate on the votes of a debate. */
import {
  type GateInput,
  type Hint,
  overrideGate,
  profiles,
  type ReviewContext,
  silentJudge,
} from "../../../src/packs/sentiment/index.ts";
import { hint, materialOf, sentiment } from "./turns.ts";

const { min_speakers: _min, flip_speakers: _flip, ...t0 } = profiles.t0;
const text = "The food was great but the service was slow";
export const votes = (polarity: string, ...weights: number[]) => weights.map((weight) => hint(polarity, weight));
export const context = (aspect_hints: Record<string, Hint[]>, over: object = {}): ReviewContext => ({
  summary: { ...silentJudge, sentence_evidence_spans: ["food was great"], ...over },
  rebuttal_points: [],
  aspect_terms: [],
  synonym_hints: {},
  aspect_map: [],
  aspect_hints,
  invalid_hint_count: {},
  mapping_stats: { direct: 0, fallback: 0, none: 0 },
  mapping_fail_reasons: { no_aspects: 0, no_match: 0, neutral_stance: 0, fallback_used: 0 },
  review_guidance: "",
  fallback_mapping_policy: "",
});
export const run = (over: Partial<GateInput>) =>
  overrideGate({
    material: materialOf(text),
    text_id: "t",
    sentiments: [sentiment("food", "negative", { confidence: 0.6 })],
    risks: [],
    review_context: context({ food: votes("positive", 0.8, 0.8) }),
    thresholds: t0,
    memoryAdvisesAgainst: () => false,
    acceptsAddition: () => true,
    ...over,
  });
export const reasonOf = (over: Partial<GateInput>) => run(over).records.at(-1)?.skip_reason;
