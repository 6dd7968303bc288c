import type { Token } from "../words/token.ts";
import { isDeterminer, isMeasure, isNoun, isParticiple, type Chunk, relatives } from "./chunk-parts.ts";

/** The noun chunk that starts at a token: determiner, modifiers and nouns, or a pronoun alone. */
export function findNounChunk(tokens: readonly Token[], from: number): Chunk | undefined {
  const first = tokens[from];
  if (!first || isMeasure(tokens, from)) return undefined;
  if (first.pos === "PRON" && !isDeterminer(first) && !relatives.has(first.lower))
    return { kind: "noun", from, to: from + 1, head: from };
  const determined = isDeterminer(first);
  const at = determined ? from + 1 : from;
  const end = findNominalEnd(tokens, at, determined);
  if (end !== undefined) return { kind: "noun", from, to: end, head: end - 1 };
  const alone = determined && first.pos === "DET";
  return alone ? { kind: "noun", from, to: at, head: at - 1 } : undefined;
}

/** A place inside a noun chunk that begins at `from`; `closed` when a noun came before it. */
type Spot = { tokens: readonly Token[]; from: number; at: number; closed: boolean; determined: boolean };

/** The end of modifiers plus nouns from `from`, or undefined when no noun closes them. */
function findNominalEnd(tokens: readonly Token[], from: number, determined: boolean): number | undefined {
  let end: number | undefined;
  for (let at = from; at < tokens.length; at += 1) {
    const spot = { tokens, from, at, closed: end !== undefined, determined };
    if (isNoun(tokens[at])) end = at + 1;
    else if (!modifiers.some((goesOn) => goesOn(spot))) break;
  }
  return end;
}

/** What may stand in a noun chunk beside its nouns. */
const modifiers: ((spot: Spot) => boolean)[] = [joinsNouns, describes, intensifies, modifies, listsAdjectives];

/** "battery-life", "lobster/mango", "cat's bowl": a joint between nouns, close to the word before it. */
function joinsNouns({ tokens, at, closed }: Spot): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!closed || !isJoint(token) || !(isNoun(next) || next?.pos === "ADJ" || isParticiple(next))) return false;
  return token.start === tokens[at - 1]?.end || token.lower === "'s";
}

/** An adjective before its noun or behind a hyphen. */
function describes({ tokens, at, closed }: Spot): boolean {
  return tokens[at]?.pos === "ADJ" && (!closed || tokens[at - 1]?.lower === "-");
}

/** "a very nice room", "the freshly baked bread": an adverb before what describes. */
function intensifies({ tokens, at, closed, determined }: Spot): boolean {
  const next = tokens[at + 1];
  if (tokens[at]?.pos !== "ADV" || closed) return false;
  return determined || next?.pos === "ADJ";
}

/** "the grilled fish", "some amazing grilled fish": a participle before its noun. */
function modifies({ tokens, from, at, closed, determined }: Spot): boolean {
  const next = tokens[at + 1];
  return isParticiple(tokens[at]) && (determined || (!closed && at > from)) && isNoun(next);
}

/** "a warm, soft bread": adjectives in a row that a noun closes. */
function listsAdjectives({ tokens, from, at, closed }: Spot): boolean {
  if (closed || at === from || !/^(,|and)$/.test(tokens[at]?.lower ?? "")) return false;
  return tokens[at + 1]?.pos === "ADJ";
}

function isJoint(token: Token | undefined): token is Token {
  return token !== undefined && /^(-|\/|'s|&)$/.test(token.lower);
}
