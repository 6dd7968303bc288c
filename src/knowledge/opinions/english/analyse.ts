import { chunkTokens } from "./clauses/chunk.ts";
import type { Chunk } from "./clauses/chunk-parts.ts";
import { type Clause, splitClauses } from "./clauses/clause.ts";
import { type EnglishOpinion, findOpinions } from "./opinions/opinion.ts";
import { repairTags } from "./words/tag-repair.ts";
import { findWordValue } from "./words/lexicon.ts";
import { type Token, tokenize } from "./words/token.ts";
import type { Span } from "../reading/reading.ts";

/** A text taken apart: everything the readings look at. */
export type Analysis = {
  text: string;
  tokens: Token[];
  chunks: Chunk[];
  clauses: Clause[];
  opinions: EnglishOpinion[];
};

/** Takes a text apart; tokens inside `aspects` are read as nouns, because someone named them as such. */
export function analyse(text: string, aspects: readonly Span[] = []): Analysis {
  const tokens = repairTags(tokenize(text), (token) => findWordValue(token) !== undefined);
  for (const token of tokens)
    if (aspects.some((span) => token.start < span.end && token.end > span.start)) readAsNoun(token, aspects);
  const chunks = chunkTokens(tokens);
  const clauses = splitClauses(tokens, chunks);
  const opinions = findOpinions(text, tokens);
  for (const opinion of opinions) opinion.clause = findClause(clauses, opinion.from);
  return { text, tokens, chunks, clauses, opinions };
}

/** The last word of a named aspect is a noun, unless it is a name or a verb. */
function readAsNoun(token: Token, aspects: readonly Span[]): void {
  if (!aspects.some((span) => token.end === span.end)) return;
  if (!/^(PROPN|AUX|VERB)$/.test(token.pos)) token.pos = "NOUN";
}

/** The index of the clause that holds a token. */
export function findClause(clauses: readonly Clause[], token: number): number {
  const index = clauses.findIndex((clause) => token >= clause.from && token < clause.to);
  return index < 0 ? Math.max(0, clauses.length - 1) : index;
}
