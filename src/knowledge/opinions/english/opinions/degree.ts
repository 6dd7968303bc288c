import type { Token } from "../words/token.ts";

const strong = new Set([
  "very",
  "really",
  "extremely",
  "incredibly",
  "so",
  "absolutely",
  "totally",
  "completely",
  "super",
  "amazingly",
  "exceptionally",
  "insanely",
  "highly",
  "truly",
  "especially",
  "particularly",
  "remarkably",
  "seriously",
  "ridiculously",
  "unbelievably",
  "utterly",
  "way",
  "such",
  "most",
  "perfectly",
  "definitely",
  "extra",
  "always",
  "consistently",
  "crazy",
  "wicked",
  "fucking",
  "freaking",
  "damn",
]);
const weak = new Set([
  "somewhat",
  "slightly",
  "fairly",
  "rather",
  "kinda",
  "sorta",
  "mildly",
  "relatively",
  "bit",
  "little",
  "pretty",
  "quite",
  "almost",
  "reasonably",
  "moderately",
  "sometimes",
  "occasionally",
  "partly",
  "mostly",
  "generally",
  "kind",
  "sort",
  "tad",
]);

/** What the words around an opinion do to its strength, and the figures of "too", "enough" and "less". */
export type Degree = { factor: number; too: boolean; enough: boolean; less: boolean; more: boolean };

/** Looks at the degree words next to the token at `index`. */
export function degreeOf(tokens: readonly Token[], index: number): Degree {
  const degree: Degree = {
    factor: 1,
    too: false,
    enough: tokens[index + 1]?.lower === "enough",
    less: false,
    more: false,
  };
  for (let at = index - 1; at >= Math.max(0, index - 3); at -= 1) {
    const token = tokens[at] as Token;
    if (token.lower === "too") degree.too = true;
    else if (token.lower === "less" || token.lower === "least") degree.less = true;
    else if (token.lower === "more") degree.more = true;
    else if (strong.has(token.lower)) degree.factor = Math.max(degree.factor, 1.4);
    else if (weak.has(token.lower)) degree.factor = Math.min(degree.factor, 0.8);
    else if (
      token.pos !== "ADV" &&
      token.pos !== "DET" &&
      token.lower !== "of" &&
      token.lower !== "not" &&
      token.lower !== "n't"
    )
      break;
  }
  return degree;
}
