import type { Evidence } from "../items/evidence.ts";
import type { Frame } from "../mentions/frame.ts";

/** How well an item's body of law fits the question: badly for another community's norm, better for the body of law that it names. */
export function rateAffinity(item: Evidence, frame: Frame): number {
  return rateCommunity(item, frame) * rateRegime(item, frame);
}

function rateCommunity(item: Evidence, { communities }: Frame): number {
  if (item.community === null) return 1;
  if (communities.length === 0) return item.domain === "adat" ? 0.7 : 1;
  if (communities.includes(item.community)) return 1.25;
  return item.domain === "adat" ? 0.25 : 0.7;
}

function rateRegime(item: Evidence, { concepts }: Frame): number {
  const islamic = concepts.has("islamic_law") || concepts.has("muslim");
  if (item.regime === "islamic") return islamic ? 1.4 : 0.7;
  if (item.regime === "civil_code") return concepts.has("civil_code") ? 1.3 : islamic ? 0.7 : 1;
  return 1;
}
