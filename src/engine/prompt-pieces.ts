import type { Prompt } from "../contract/prompt.ts";
import { sha256 } from "./hash.ts";
import { renderPrompt } from "./render-prompt.ts";

/**
 * One stretch of a sent prompt. A piece names the piece before it, so prompts that begin alike share their pieces:
 * each is stored once, and a prompt is named by its last piece.
 */
export type Piece = { hash: string; parent: string | null; text: string };

/** The prompt as a chain of pieces: instructions, shared blocks, own blocks. */
export function piecesOf(prompt: Prompt): Piece[] {
  const { system, shared, own } = renderPrompt(prompt);
  return piecesFromTexts([system, ...shared, ...own]);
}

/** Chains texts into pieces. */
export function piecesFromTexts(texts: readonly string[]): Piece[] {
  let parent: string | null = null;
  return texts.map((text) => {
    const piece: Piece = { hash: pieceHash(parent, text), parent, text };
    parent = piece.hash;
    return piece;
  });
}

/** A piece's name: its text and everything before it. */
export function pieceHash(parent: string | null, text: string): string {
  return sha256(`${parent ?? ""}\n${text}`);
}

/** A rough token count, for shares and reports; budgets use true upper bounds. */
export function roughTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
