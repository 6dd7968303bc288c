import * as z from "zod";
import type { Block, Prompt } from "../contract/prompt.ts";
import { remember } from "../text/search.ts";
import { encodeCanonicalJson, sha256 } from "./hash.ts";
import type { AnyRole } from "./role.ts";

/** What is sent to a player, named by hashes: when code, prompt or config change, so does the request hash. */
export type Request = {
  prompt: Prompt;
  rendered: RenderedPrompt;
  pieces: Piece[];
  promptHash: string;
  requestHash: string;
};

/** Builds the request to a role about an input; `earlier` are the pieces of a prompt that may begin alike. */
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

/** A prompt as text: what every speaker shares, then what is this speaker's own. */
export type RenderedPrompt = { system: string; shared: string[]; own: string[] };

/** Turns a prompt into the texts that are sent; every block is fenced. */
export function renderPrompt(prompt: Prompt): RenderedPrompt {
  return createRenderer()(prompt);
}

/**
 * Renders the prompts of one debate, each shared block once. What was rendered lives as long as the debate: in a `WeakMap`
 * over all debates every text would outlive the collections of young garbage.
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

/** A block between fences longer than any fence inside it, so that no content can close its own fence. */
export function renderBlock(block: Block): string {
  const isText = "text" in block;
  const content = isText ? block.text : JSON.stringify(block.json);
  const fence = "`".repeat(Math.max(3, measureLongestRun(content) + 1));
  return `[${cleanLabel(block.label)}]\n${fence}${isText ? "text" : "json"}\n${content}\n${fence}\n`;
}

/** A label stands outside the fence: one short line without marks that could close it or open a fence. */
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
 * One stretch of a sent prompt. A piece names the piece before it, so prompts that begin alike share their pieces, and
 * a prompt is named by its last piece.
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
    pieces.push(
      isKnown ? known : { hash: parent === null ? hashFirst(text) : sha256(`${parent}\n${text}`), parent, text },
    );
  }
  return pieces;
}

/** The name of a prompt: that of its last piece. */
export function hashPrompt(texts: readonly string[]): string {
  return chainPieces(texts).at(-1)?.hash ?? "";
}

/** Prompts begin with instructions, which are long and the same in many debates. */
const hashFirst = remember(64, (text) => sha256(`\n${text}`));

/** A rough token count, for shares and reports; budgets use true upper bounds. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** The tokens of all prompts, and those of them that an earlier prompt had begun with. */
export type PromptTokens = { total: number; prefix: number };

/** Counts the tokens of a debate's prompts as they are sent. */
export function createPromptTally(): { add(pieces: readonly Piece[]): void; tokens(): PromptTokens } {
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
