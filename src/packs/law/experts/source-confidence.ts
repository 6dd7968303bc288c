import type { Evidence } from "../knowledge/evidence.ts";
import { confidenceWeight } from "../knowledge/evidence.ts";

const oneSource = 0.6;
const most = 0.95;

/** How sure a claim can be: more with every independent source that agrees, less where a source is unconfirmed. */
export function sourceConfidence(items: Evidence[]): number {
  const doubt = independentSources(items).reduce(
    (left, item) => left * (1 - oneSource * confidenceWeight[item.confidence]),
    1,
  );
  return round(Math.min(most, 1 - doubt));
}

/** Rules and graph relations restate other items: only texts, norms and decisions count, each once. */
export function independentSources(items: Evidence[]): Evidence[] {
  const texts = items.filter(({ kind }) => kind !== "rule" && kind !== "kg");
  return [...new Map(texts.map((item) => [item.title, item])).values()];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
