import type { Block, Prompt } from "../contract/prompt.ts";

/** A prompt as text: what every speaker shares, then what is this speaker's own. */
export type RenderedPrompt = { system: string; shared: string[]; own: string[] };

/** Turns a prompt into the texts that are sent; every block is fenced. */
export function renderPrompt(prompt: Prompt): RenderedPrompt {
  return { system: prompt.instructions, shared: prompt.blocks.map(renderBlock), own: prompt.own.map(renderBlock) };
}

const rendered = new WeakMap<Block, string>();

/** A block between fences longer than any fence inside it, so that no content can close its own fence. A block is rendered once. */
export function renderBlock(block: Block): string {
  let text = rendered.get(block);
  if (text === undefined) {
    text = fenced(block);
    rendered.set(block, text);
  }
  return text;
}

function fenced(block: Block): string {
  const isText = "text" in block;
  const content = isText ? block.text : JSON.stringify(block.json);
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `[${block.label}]\n${fence}${isText ? "text" : "json"}\n${content}\n${fence}\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  if (!text.includes("`")) return longest;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
