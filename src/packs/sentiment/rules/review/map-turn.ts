import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { RebuttalPoint } from "../../schemas/stage2.ts";
import { findMostConfident, keepStated } from "../tuples/stated.ts";

/** Where a turn was mapped to, and why not if it was not. */
export type Mapping = Pick<RebuttalPoint, "aspect_refs" | "mapping" | "mapping_fail_reason">;

/** Maps a turn to aspects (sentiment spec §4): directly, else to the most confident sentiment of its polarity, else nowhere. */
export function mapTurn(
  direct: readonly string[],
  polarityHint: string | null,
  stage1: { terms: readonly string[]; sentiments: readonly Sentiment[] },
): Mapping {
  if (direct.length > 0) return { aspect_refs: [...new Set(direct)], mapping: "direct", mapping_fail_reason: null };
  const none = (reason: "no_aspects" | "no_match" | "neutral_stance"): Mapping => ({
    aspect_refs: [],
    mapping: "none",
    mapping_fail_reason: reason,
  });
  if (stage1.terms.length === 0) return none("no_aspects");
  const polarity = canonicalisePolarity(polarityHint);
  if (polarity === null || polarity === "neutral") return none("neutral_stance");
  const best = findMostConfident(keepStated(stage1.sentiments).filter((sentiment) => sentiment.polarity === polarity));
  if (!best) return none("no_match");
  return { aspect_refs: [best.aspect_ref], mapping: "fallback", mapping_fail_reason: "fallback_used" };
}
