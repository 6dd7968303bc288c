import type { Token } from "../words/token.ts";
import { contrastWords, toWordSet } from "../words/word-classes.ts";
import { type Chunk, type ChunkKind, isMeasure, relatives } from "./chunk-parts.ts";
import { findNounChunk } from "./noun-chunk.ts";

const subordinators = toWordSet("because since when whenever if unless until as so whether once cause cuz");

/** Cuts tagged tokens into noun, verb, adjective and other chunks (a finite-state shallow parse). */
export function chunkTokens(tokens: readonly Token[]): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at < tokens.length) {
    const chunk =
      findNounChunk(tokens, at) ??
      findVerbChunk(tokens, at) ??
      findDescription(tokens, at) ??
      takeSingle(tokens, at, chunks.at(-1));
    chunks.push(chunk);
    at = chunk.to;
  }
  return chunks;
}

function findVerbChunk(tokens: readonly Token[], from: number): Chunk | undefined {
  let at = from;
  let head: number | undefined;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token?.pos === "VERB" || token?.pos === "AUX") head = at;
    else if (!isVerbParticle(token) && !(token?.pos === "ADV" && verbAhead(tokens, at))) break;
    at += 1;
  }
  return head === undefined ? undefined : { kind: "verb", from, to: head + 1, head };
}

function isVerbParticle(token: Token | undefined): boolean {
  return token?.pos === "PART";
}

function verbAhead(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at]?.pos === "ADV" || isVerbParticle(tokens[at])) at += 1;
  return tokens[at]?.pos === "VERB" || tokens[at]?.pos === "AUX";
}

/** A run of adjectives and adverbs, perhaps behind a measure ("a bit slow"). */
function findDescription(tokens: readonly Token[], from: number): Chunk | undefined {
  let at = isMeasure(tokens, from) ? from + 2 : from;
  let adjective: number | undefined;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token?.pos === "ADJ") adjective = at;
    else if (token?.pos !== "ADV" || subordinators.has(token.lower)) break;
    at += 1;
  }
  if (at === from) return undefined;
  return { kind: adjective === undefined ? "adverb" : "adjective", from, to: at, head: adjective ?? at - 1 };
}

function takeSingle(tokens: readonly Token[], at: number, before: Chunk | undefined): Chunk {
  return { kind: classifySingle(tokens[at] as Token, before), from: at, to: at + 1, head: at };
}

function classifySingle(token: Token, before: Chunk | undefined): ChunkKind {
  if (contrastWords.has(token.lower) || token.pos === "CCONJ") return "conjunction";
  if (relatives.has(token.lower))
    return before?.kind === "noun" || before?.kind === "mark" ? "relative" : "subordinator";
  if (token.pos === "SCONJ" || (subordinators.has(token.lower) && token.pos !== "ADP")) return "subordinator";
  if (token.pos === "ADP" || token.pos === "PART") return "preposition";
  if (token.pos === "PUNCT" || token.pos === "SYM") return "mark";
  return "adverb";
}
