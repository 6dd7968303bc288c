import * as z from "zod";
import type { Block, Prompt } from "../contract/prompt.ts";
import type { DebateResult } from "../contract/result.ts";
import { remember } from "../text/search.ts";
import { encodeCanonicalJson, sha256 } from "./hash.ts";
import type { AnyRole } from "./role.ts";

/** A request to a player, identified by hashes that change with code, prompt or config. */
export type Request = {
  prompt: Prompt;
  rendered: RenderedPrompt;
  pieces: Piece[];
  promptHash: string;
  requestHash: string;
};

/** Builds a role's request; `earlier` holds the pieces of a prompt that may share its beginning. */
export function buildRequest(
  role: AnyRole,
  input: unknown,
  { render = renderPrompt, earlier = [] }: { render?: typeof renderPrompt; earlier?: readonly Piece[] } = {},
): Request {
  const prompt = role.prompt(input);
  const rendered = render(prompt);
  const pieces = buildPieces(rendered, earlier);
  const promptHash = pieces.at(-1)?.hash ?? "";
  const requestHash = sha256(`${role.name}\n${promptHash}\n${schemaOf(role.reply).hash}`);
  return { prompt, rendered, pieces, promptHash, requestHash };
}

const schemas = new WeakMap<z.ZodType, { json: Record<string, unknown>; hash: string }>();

/** The JSON schema of a reply, made once per schema. */
export function buildJsonSchema(reply: z.ZodType): Record<string, unknown> {
  return schemaOf(reply).json;
}

function schemaOf(reply: z.ZodType) {
  const known = schemas.get(reply);
  if (known) return known;
  const json = z.toJSONSchema(reply, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
  const made = { json, hash: sha256(encodeCanonicalJson(json)) };
  schemas.set(reply, made);
  return made;
}

/** A rendered prompt: the part shared by all speakers, then the speaker's own. */
export type RenderedPrompt = { system: string; shared: string[]; own: string[] };

/** Renders a prompt as text; every block is fenced. */
export function renderPrompt(prompt: Prompt): RenderedPrompt {
  return createRenderer()(prompt);
}

/**
 * Renders the prompts of one debate, each shared block once. The cache lives as long as the debate; a global
 * `WeakMap` would keep every text past young garbage collections.
 */
export function createRenderer(): (prompt: Prompt) => RenderedPrompt {
  const texts = new Map<Block, string>();
  const render = (block: Block): string => {
    const known = texts.get(block);
    if (known !== undefined) return known;
    const text = renderBlock(block);
    texts.set(block, text);
    return text;
  };
  return ({ instructions, blocks, own }) => ({
    system: instructions,
    shared: blocks.map(render),
    own: own.map(renderBlock),
  });
}

/** Renders a block inside a fence longer than any fence in its content, so that no content can close it. */
export function renderBlock(block: Block): string {
  const isText = "text" in block;
  const content = isText ? block.text : JSON.stringify(block.json);
  const fence = "`".repeat(Math.max(3, measureLongestRun(content) + 1));
  return `[${cleanLabel(block.label)}]\n${fence}${isText ? "text" : "json"}\n${content}\n${fence}\n`;
}

/** Labels stand outside the fence, so they are kept to one short line that can neither close nor open one. */
function cleanLabel(label: string): string {
  return label
    .slice(0, 120)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}`[\]]+/gu, " ")
    .toWellFormed();
}

function measureLongestRun(text: string): number {
  let longest = 0;
  if (!text.includes("`")) return longest;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * One part of a sent prompt. Each piece names the one before it, so prompts with the same beginning share pieces; the
 * last piece identifies the prompt.
 */
export type Piece = { hash: string; parent: string | null; text: string };

/** Splits a prompt into pieces: instructions, each shared block, the own blocks. `earlier` may share its beginning. */
export function buildPieces({ system, shared, own }: RenderedPrompt, earlier: readonly Piece[] = []): Piece[] {
  return chainPieces([system, ...shared, ...(own.length > 0 ? [own.join("\n")] : [])], earlier);
}

/** Chains texts into pieces, reusing those that `earlier` begins with. */
export function chainPieces(texts: readonly string[], earlier: readonly Piece[] = []): Piece[] {
  const pieces: Piece[] = [];
  for (const text of texts) {
    const parent = pieces.at(-1)?.hash ?? null;
    const known = earlier[pieces.length];
    const isKnown = known?.text === text && known.parent === parent;
    pieces.push(
      isKnown ? known : { hash: parent === null ? hashFirst(text) : sha256(`${parent}\n${text}`), parent, text },
    );
  }
  return pieces;
}

/** The hash of the prompt's last piece. */
export function hashPrompt(texts: readonly string[]): string {
  return chainPieces(texts).at(-1)?.hash ?? "";
}

/** Instructions are long and the same in many debates. */
const hashFirst = remember(64, (text) => sha256(`\n${text}`));

/** A rough token count, for shares and reports; budgets use true upper bounds. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Counts prompt tokens as they are sent; `prefix` counts those already sent at the beginning of an earlier prompt. */
export function createPromptTally() {
  const tokensOfPiece = new Map<string, number>();
  const counted: DebateResult["promptTokens"] = { total: 0, prefix: 0 };
  return {
    add(pieces: readonly Piece[]): void {
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
