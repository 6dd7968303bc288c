import type { Prompt } from "../../src/contract/prompt.ts";
import { renderPrompt } from "../../src/engine/prompt.ts";

/** A fenced block of a prompt as a reader of Markdown finds it. */
export type Fenced = { kind: string; fence: number; content: string };

/** A prompt taken apart the way Markdown is: what stands outside fences, and what stands inside. */
export type Outline = { outside: string[]; fenced: Fenced[] };

/** The whole text of a prompt, as it is sent. */
export function textOf(prompt: Prompt): string {
  const { system, shared, own } = renderPrompt(prompt);
  return [system, ...shared, ...own].join("\n");
}

/**
 * Takes a prompt apart without knowing how it was made: a line of at least three backticks opens a fence, and the
 * next line of as many or more closes it. Any line break that a model may take for one counts as one.
 */
export function outlineOf(text: string): Outline {
  const outline: Outline = { outside: [], fenced: [] };
  let open: Fenced | null = null;
  for (const line of text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
    const [, ticks = "", rest = ""] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (open && ticks.length >= open.fence && rest.trim() === "") {
      outline.fenced.push(open);
      outline.outside.push(`⟨${open.kind}⟩`);
      open = null;
    } else if (open) open.content += `${line}\n`;
    else if (ticks !== "") open = { kind: rest.trim(), fence: ticks.length, content: "" };
    else outline.outside.push(line);
  }
  if (open) outline.outside.push(`⟨${open.kind} that never closes⟩`);
  return outline;
}
