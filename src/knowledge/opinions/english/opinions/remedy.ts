import type { Token } from "../words/token.ts";
import { remedyVerbs } from "../words/word-classes.ts";
import { findNegator } from "./negation.ts";

const reach = 6;

/** True when something bad was put right ("fixed the problem", "the lag is gone"), false when it is yet to be, null when nobody speaks of that. */
export function readRemedy(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean | null {
  for (let at = from - 1; at >= Math.max(0, from - reach); at -= 1) {
    const token = tokens[at] as Token;
    if (isRemedy(token)) return isDone(tokens, at);
    if (breaksOff(token)) break;
  }
  for (let at = to; at < Math.min(to + reach, tokens.length); at += 1) {
    const token = tokens[at] as Token;
    if (isRemedy(token) && tokens.slice(to, at).some((one) => one.pos === "AUX")) return isDone(tokens, at);
    if (breaksOff(token)) break;
  }
  return null;
}

function isRemedy({ lemma, lower, pos }: Token): boolean {
  return pos === "VERB" && (remedyVerbs.has(lemma) || remedyVerbs.has(lower));
}

/** What no object and no subject reaches across: a mark, a conjunction, a preposition that leads elsewhere. */
function breaksOff({ lower, pos }: Token): boolean {
  return /^(PUNCT|CCONJ|SCONJ)$/.test(pos) || (pos === "ADP" && !/^(of|from|with|out|up)$/.test(lower));
}

/** "needs to fix", "could not fix", "please fix": what is wished for or denied is not done. */
function isDone(tokens: readonly Token[], at: number): boolean {
  const before = tokens
    .slice(Math.max(0, at - 4), at)
    .map((one) => one.lower)
    .join(" ");
  return at > 0 && !/\b(to|should|could|would|must|might|please)\b[^,.]*$/.test(before) && !findNegator(tokens, at);
}
