import type { Block, Prompt } from "../contract/prompt.ts";

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
  return label.length <= maxLabel && !labelMark.test(label)
    ? label
    : label.slice(0, maxLabel).replaceAll(labelMarks, " ").toWellFormed();
}

const maxLabel = 120;
const labelMark = /[\p{C}\p{Zl}\p{Zp}`[\]]/u;
const labelMarks = /[\p{C}\p{Zl}\p{Zp}`[\]]+/gu;

function measureLongestRun(text: string): number {
  let longest = 0;
  if (!text.includes("`")) return longest;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
