import { type Piece, estimateTokens } from "./prompt-pieces.ts";

/** The tokens of all prompts, and those of them that an earlier prompt had begun with. */
export type PromptTokens = { total: number; prefix: number };

/** Counts the tokens of a debate's prompts as they are sent. */
export type PromptTally = { add(pieces: readonly Piece[]): void; tokens(): PromptTokens };

/** A tally that has seen no prompt yet. */
export function createPromptTally(): PromptTally {
  const tokensOfPiece = new Map<string, number>();
  const counted: PromptTokens = { total: 0, prefix: 0 };
  return {
    add(pieces) {
      for (const piece of pieces) {
        const before = tokensOfPiece.get(piece.hash);
        const tokens = before ?? estimateTokens(piece.text);
        counted.total += tokens;
        if (before === undefined) tokensOfPiece.set(piece.hash, tokens);
        else counted.prefix += tokens;
      }
    },
    tokens: () => counted,
  };
}
