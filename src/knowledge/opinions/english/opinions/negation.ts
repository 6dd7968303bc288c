import type { Token } from "../words/token.ts";
import { toWordSet } from "../words/word-classes.ts";

const negators = toWordSet(
  `not n't no zero never none nothing nobody nowhere neither nor without hardly barely scarcely rarely seldom nt cannot dont doesnt
  didnt isnt wasnt cant wont arent werent aint`,
);
const barriers =
  /^([,;:.!?()]|but|however|although|though|because|while|and|which|who|that|if|when|how|so|--|—|…|\.\.+)$/;
const pseudo = /^(only|just|merely|simply|to|mind|wonder|doubt|matter|mention|least|sure|question)$/;
const reach = 6;

/** The negation that governs the token at `index`, or undefined: a cue before it in the same stretch of the clause. */
export function findNegator(tokens: readonly Token[], index: number): Token | undefined {
  let last = index - reach;
  for (let at = index - 1; at >= Math.max(0, last); at -= 1) {
    const token = tokens[at] as Token;
    if (token.lower === "or") last = at - reach;
    if (isNegator(token)) return isPseudo(tokens, at) || isPresupposed(tokens, at, index) ? undefined : token;
    if (barriers.test(token.lower) && !isDegree(tokens, at)) return undefined;
  }
  return findPhrasedNegator(tokens, index);
}

/** "not so good", "not that bad": a degree word, not a border. */
function isDegree(tokens: readonly Token[], at: number): boolean {
  return /^(so|that)$/.test(tokens[at]?.lower ?? "") && /^(ADJ|ADV)$/.test(tokens[at + 1]?.pos ?? "");
}

/** "not only", "no doubt", "not to mention": negation in form alone. */
function isPseudo(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (!next || !pseudo.test(next.lower)) return false;
  return /^(no|not|n't)$/.test((tokens[at] as Token).lower);
}

/** "no trouble choosing our delicious meal": what a definite noun phrase takes for granted is not denied; "not the best" denies it. */
function isPresupposed(tokens: readonly Token[], negator: number, index: number): boolean {
  if (tokens[index]?.pos !== "ADJ" || /(est|most)$/.test(tokens[index].lower)) return false;
  let at = index - 1;
  while (/^(ADJ|ADV)$/.test(tokens[at]?.pos ?? "")) at -= 1;
  return at > negator + 1 && /^(the|this|these|those|my|our|your|his|her|its|their|'s)$/.test(tokens[at]?.lower ?? "");
}

/** "far from clean", "anything but clean", "less than clean". */
function findPhrasedNegator(tokens: readonly Token[], index: number): Token | undefined {
  for (let at = index - 1; at >= Math.max(1, index - 3); at -= 1) {
    const before = tokens[at - 1] as Token;
    if (/^(far from|anything but|less than)$/.test(`${before.lower} ${tokens[at]?.lower}`)) return before;
  }
  return undefined;
}

/** True for a token that negates by itself. */
export function isNegator(token: Token): boolean {
  return negators.has(token.lower);
}
