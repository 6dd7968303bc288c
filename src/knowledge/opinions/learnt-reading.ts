import type { Label } from "./learnt/fit.ts";
import { type Layer, pickLabel, type Shares, weighFeatures } from "./learnt/layer.ts";
import { listAspectFeatures } from "./learnt/features.ts";
import type { Features, Reading } from "./reading/reading.ts";

/** A reading whose confidence is a calibrated probability, with those of the other answers; `met` when the layer was taught a word of the aspect. */
export type LearntReading = Reading & { shares: Shares; label: Label; met: boolean };

/** What a layer makes of an aspect, all its places together; the opinions it stands on are those of the readings that agree. */
export function readLearnt(
  layer: Layer,
  { near, scoped }: { near: Reading; scoped: Reading },
  places: readonly Features[],
): LearntReading {
  const shares = meanOf(places.map((features) => weighFeatures(layer, features)));
  const label = pickLabel(shares);
  const support = [near, scoped].find((reading) => reading.polarity === label) ?? null;
  const aspect = near.opinions.length === 0 ? near.evidence : scoped.evidence;
  return {
    label,
    shares,
    met: places.some((features) => listAspectFeatures(features).some((name) => layer.weights.has(name))),
    /** A mention that nothing evaluates is no judgement, as in the other readings. */
    polarity: label === "neutral" && support === null ? null : label,
    value: 3 * (shares.positive - shares.negative),
    confidence: shares[label],
    opinions: support?.opinions ?? [],
    evidence: support?.evidence ?? aspect,
    via: "learnt",
  };
}

function meanOf(list: readonly Shares[]): Shares {
  const mean = (label: Label) => list.reduce((sum, shares) => sum + shares[label], 0) / list.length;
  return { positive: mean("positive"), negative: mean("negative"), neutral: mean("neutral") };
}
