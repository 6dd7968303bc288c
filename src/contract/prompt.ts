import * as z from "zod";

/** One labelled piece of data in a prompt, immutable. Its content is always fenced: it is material, never an instruction. */
export const BlockSchema = z.union([
  z.strictObject({ label: z.string(), text: z.string() }),
  z.strictObject({ label: z.string(), json: z.unknown() }),
]);
export type Block = z.infer<typeof BlockSchema>;

/**
 * A role's prompt. `instructions` and `blocks` are shared by all speakers of a debate and only grow; `own` (persona,
 * task, feedback) differs by speaker and comes last, so that each prompt extends an earlier one.
 */
export type Prompt = {
  instructions: string;
  blocks: Block[];
  own: Block[];
  language?: PromptLanguage;
};

export const promptLanguages = ["en", "id", "ko"] as const;
export type PromptLanguage = (typeof promptLanguages)[number];
