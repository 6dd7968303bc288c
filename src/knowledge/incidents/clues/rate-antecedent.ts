import type { Links } from "./create-links.ts";
import type { Finding } from "./finding.ts";

const linked = 0.8;
const near = 0.6;
/** Nearness loses most of its weight in this time. */
const nearMs = 5 * 60_000;
const worthTelling = 0.7;

/** How much speaks for a line that was said before some trouble to be what it came from: what it says, that both name the same, and how near it was. */
export function rateAntecedent(
  said: Finding,
  trouble: readonly Finding[],
  { firstMs, links }: { firstMs: number | null; links: Links },
): number {
  if (firstMs === null || said.firstMs === null || said.firstMs >= firstMs) return 0;
  const nearness = near * Math.exp((said.firstMs - firstMs) / nearMs);
  return (said.weight ?? 0) + (links(said, trouble) ? linked : 0) + nearness;
}

export function isLinkedEnough(weight: number): boolean {
  return weight >= worthTelling;
}
