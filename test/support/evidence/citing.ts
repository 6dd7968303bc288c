import type { Prompt } from "../../../src/contract/prompt.ts";
import type { Problem } from "../../../src/contract/turn.ts";

/** Something that a reply can cite: by an id, a line or a span, with its words where the prompt shows them. */
export type Citable = { id: string; cited: unknown };

/** How the replies of one shape cite what their prompt shows. */
export type Citing = {
  pack: string;
  /** True for replies of this shape that have a place for a citation, to prompts of the kind that is meant. */
  canCite(reply: object, prompt: Prompt): boolean;
  /** What a prompt shows, read from the prompt itself and not from what the role was given. */
  listShown(prompt: Prompt): Citable[];
  /** Everything of this kind that the role was given, shown or not. */
  listGiven?(input: unknown): Citable[];
  /** True when the prompt shows this in the words of someone who cited it. */
  quotes?(prompt: Prompt, id: string): boolean;
  /** Things of the same kind that no prompt shows. */
  unseen: readonly Citable[];
  /** The reply with this as its only citation. */
  cite(reply: object, item: Citable): object;
  /** True when a problem says that the citation is no good. */
  isRefusal(problem: Problem): boolean;
};

/** The records with all of these keys that the blocks of a prompt hold, one each or as a list. */
export function listRecords(prompt: Prompt, ...keys: string[]): Record<string, unknown>[] {
  return [...prompt.blocks, ...prompt.own].flatMap((block) => {
    const list: unknown[] = "json" in block ? [block.json].flat() : [];
    return list.filter(
      (item): item is Record<string, unknown> =>
        typeof item === "object" && item !== null && keys.every((key) => key in item),
    );
  });
}

/** All text of a prompt's blocks. */
export function textOfBlocks({ blocks, own }: Prompt): string {
  return [...blocks, ...own].map((block) => ("text" in block ? block.text : JSON.stringify(block.json))).join("\n");
}

/** The reply with the first item of a list changed. */
export function withFirst(reply: object, key: string, change: object): object {
  const [first, ...rest] = (reply as Record<string, object[]>)[key] ?? [];
  return { ...reply, [key]: [{ ...first, ...change }, ...rest] };
}

/** True when the reply has a list of this name with something in it. */
export function hasItems(reply: object, key: string): boolean {
  const list = (reply as Record<string, unknown>)[key];
  return Array.isArray(list) && list.length > 0;
}
