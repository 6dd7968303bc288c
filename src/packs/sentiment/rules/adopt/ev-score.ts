import type { SentimentConfig } from "../../config/resolve-config.ts";
import type { EvComponents } from "../../schemas/outcome.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import { keepStated } from "../tuples/stated.ts";

/** The EV score: the weighted mean of the components that apply (sentiment spec §7). */
export function computeEvScore(components: EvComponents, weights: SentimentConfig["ev_weights"]): number {
  let [sum, weight] = [0, 0];
  for (const name of Object.keys(weights) as (keyof EvComponents)[]) {
    const value = components[name];
    if (value === null) continue;
    sum += weights[name] * value;
    weight += weights[name];
  }
  return weight === 0 ? 0 : Math.round((sum / weight) * 1e9) / 1e9;
}

/** How much the mean confidence rose, times five, within 0..1. */
export function measureAlignment(before: readonly Sentiment[], after: readonly Sentiment[]): number {
  return Math.min(1, Math.max(0, 5 * (meanConfidence(after) - meanConfidence(before))));
}

/** The rise in the share of explicit sentiments; null unless Stage 1 had none. */
export function measureGrounding(before: readonly Sentiment[], after: readonly Sentiment[]): number | null {
  return keepExplicit(before).length > 0 ? null : shareExplicit(after) - shareExplicit(before);
}

/** The stated sentiments on an aspect the text names. */
export function keepExplicit(list: readonly Sentiment[]): Sentiment[] {
  return keepStated(list).filter((sentiment) => !sentiment.is_implicit);
}

function shareExplicit(list: readonly Sentiment[]): number {
  const all = keepStated(list).length;
  return all === 0 ? 0 : keepExplicit(list).length / all;
}

function meanConfidence(list: readonly Sentiment[]): number {
  const all = keepStated(list);
  return all.length === 0 ? 0 : all.reduce((sum, sentiment) => sum + sentiment.confidence, 0) / all.length;
}
