import type { Token } from "../words/token.ts";
import { toWordSet } from "../words/word-classes.ts";

const strong = toWordSet(
  `very really extremely incredibly so absolutely totally completely super amazingly exceptionally insanely highly truly
  especially particularly remarkably seriously ridiculously unbelievably utterly way such most perfectly definitely
  extra always consistently crazy wicked fucking freaking damn`,
);

/** What the words around an opinion do to its strength, and whether "too" or "enough" is said of it. */
export type Degree = { factor: number; too: boolean; enough: boolean };

/** Looks at the degree words right before the token at `index`, and at the word after it. */
export function readDegree(tokens: readonly Token[], index: number): Degree {
  const degree: Degree = { factor: 1, too: false, enough: tokens[index + 1]?.lower === "enough" };
  for (let at = index - 1; at >= Math.max(0, index - 3); at -= 1) {
    const { lower } = tokens[at] as Token;
    if (lower === "too") degree.too = true;
    else if (strong.has(lower)) degree.factor = 1.4;
    else break;
  }
  return degree;
}
