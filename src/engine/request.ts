import * as z from "zod";
import type { Prompt } from "../contract/prompt.ts";
import { encodeCanonicalJson, sha256 } from "./hash.ts";
import { type Piece, buildPieces } from "./prompt-pieces.ts";
import { type RenderedPrompt, renderPrompt } from "./render-prompt.ts";
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
  const requestHash = sha256(`${role.name}\n${promptHash}\n${hashSchema(role.reply)}`);
  return { prompt, rendered, pieces, promptHash, requestHash };
}

const schemas = new WeakMap<z.ZodType, { json: Record<string, unknown>; hash: string }>();

/** The JSON schema of a reply, made once per schema. */
export function buildJsonSchema(reply: z.ZodType): Record<string, unknown> {
  return schemaOf(reply).json;
}

function hashSchema(reply: z.ZodType): string {
  return schemaOf(reply).hash;
}

function schemaOf(reply: z.ZodType) {
  let known = schemas.get(reply);
  if (!known) {
    const json = z.toJSONSchema(reply, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
    known = { json, hash: sha256(encodeCanonicalJson(json)) };
    schemas.set(reply, known);
  }
  return known;
}
