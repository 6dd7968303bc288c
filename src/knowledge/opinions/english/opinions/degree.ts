import type { Token } from "../words/token.ts";
import { toWordSet } from "../words/word-classes.ts";

const strong = toWordSet(
  `very really extremely incredibly so absolutely totally completely super amazingly exceptionally insanely highly truly
  especially particularly remarkably seriously ridiculously unbelievably utterly way such most perfectly definitely
  extra always consistently crazy wicked fucking freaking damn`,
);
const weak = toWordSet(
  `somewhat slightly fairly rather kinda sorta mildly relatively bit little pretty quite almost reasonably moderately
  sometimes occasionally partly mostly generally kind sort tad`,
);
const passable = toWordSet("of not n't");

/** What the words around an opinion do to its strength, and whether "too", "enough" or "less" is said of it. */
export type Degree = { factor: number; too: boolean; enough: boolean; less: boolean };

/** Looks at the degree words next to the token at `index`. */
export function readDegree(tokens: readonly Token[], index: number): Degree {
  const degree: Degree = { factor: 1, too: false, enough: tokens[index + 1]?.lower === "enough", less: false };
  for (let at = index - 1; at >= Math.max(0, index - 3); at -= 1) {
    const { lower, pos } = tokens[at] as Token;
    if (lower === "too") degree.too = true;
    else if (lower === "less" || lower === "least") degree.less = true;
    else if (strong.has(lower)) degree.factor = Math.max(degree.factor, 1.4);
    else if (weak.has(lower)) degree.factor = Math.min(degree.factor, 0.8);
    else if (lower !== "more" && pos !== "ADV" && pos !== "DET" && !passable.has(lower)) break;
  }
  return degree;
}
