/** A labelled aspect: `term` is null when the text does not name it; indices are UTF-16, end exclusive. */
export type LabelledAspect = { term: string | null; from: number; to: number; polarity: string; category?: string };

/** A sentence with its labelled aspects, as SemEval files and the ABSA JSON Lines have it. */
export type AbsaSentence = {
  id: string;
  text: string;
  language: string | null;
  domain: string | null;
  aspects: LabelledAspect[];
};

/**
 * The place of a term in UTF-16 indices. Files made by Python count code points, so an index behind an emoji is too
 * small; where the index does not fit either way, the nearest occurrence of the term is taken.
 */
export function findPlace(text: string, term: string, from: number): { from: number; to: number } | null {
  const at =
    [from, toUtf16Index(text, from)].find((start) => text.startsWith(term, start)) ?? findNearest(text, term, from);
  return at === null ? null : { from: at, to: at + term.length };
}

function toUtf16Index(text: string, codePoints: number): number {
  return Array.from(text).slice(0, codePoints).join("").length;
}

function findNearest(text: string, term: string, from: number): number | null {
  if (term === "") return null;
  let best: number | null = null;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (best === null || Math.abs(at - from) < Math.abs(best - from)) best = at;
  return best;
}
