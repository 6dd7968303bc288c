import { remember } from "../text/remember.ts";
import { sha256 } from "./hash.ts";
import type { RenderedPrompt } from "./render-prompt.ts";

/**
 * One stretch of a sent prompt. A piece names the piece before it, so prompts that begin alike share their pieces:
 * each is stored once, and a prompt is named by its last piece.
 */
export type Piece = { hash: string; parent: string | null; text: string };

/** The prompt as a chain of pieces: instructions, each shared block, the own blocks. `earlier` is a prompt that may begin alike. */
export function buildPieces({ system, shared, own }: RenderedPrompt, earlier: readonly Piece[] = []): Piece[] {
  return chainPieces([system, ...shared, ...(own.length > 0 ? [own.join("\n")] : [])], earlier);
}

/** Chains texts into pieces; those that `earlier` begins with are taken from it, not hashed again. */
export function chainPieces(texts: readonly string[], earlier: readonly Piece[] = []): Piece[] {
  const pieces: Piece[] = [];
  for (const text of texts) {
    const parent = pieces.at(-1)?.hash ?? null;
    const known = earlier[pieces.length];
    const isKnown = known?.text === text && known.parent === parent;
    pieces.push(isKnown ? known : { hash: hashPiece(parent, text), parent, text });
  }
  return pieces;
}

/** A piece's name: its text and everything before it. */
export function hashPiece(parent: string | null, text: string): string {
  return parent === null ? hashFirst(text) : sha256(`${parent}\n${text}`);
}

/** Prompts begin with instructions, which are long and the same in many debates. */
const hashFirst = remember(64, (text) => sha256(`\n${text}`));

/** A rough token count, for shares and reports; budgets use true upper bounds. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
