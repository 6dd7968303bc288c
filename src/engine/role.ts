import type * as z from "zod";
import type { FormNames } from "../contract/form.ts";
import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";

/** The answers a role may choose from, for players that do not reason. `heard` are the others' last answers, `own` the speaker's. */
export type Positions<O> = {
  about: string;
  answers: readonly string[];
  heard: readonly string[];
  own: { answer: string; confidence: number } | null;
  say(answer: string, confidence: number): O;
};

/** The bare question of a role, for players that replay answers recorded elsewhere. */
export type Recall<O> = {
  question: string;
  choices: readonly { key: string; text: string }[];
  /** Builds the reply of a model that gave this answer; null is no answer. */
  say(answer: string | null, confidence: number, words: string | null): O;
};

/** What players need that are neither models nor programs. */
type Aids<I, O> = {
  /** The form for a person: parts of the reply known beforehand, labels for the others, and choices. */
  form?(input: I): FormNames & { known?: Partial<O> };
  /** The possible answers, for synthetic speakers; null when they cannot be listed. */
  positions?(input: I): Positions<O> | null;
  /** The question, while nobody else has spoken; null after that. */
  recall?(input: I): Recall<O> | null;
  /**
   * Rewrites references by number or label in a reply for another input. Used to ask how the decision would differ had
   * another speaker been silent.
   */
  carry?(reply: O, from: I, to: I): O;
};

/** A speaker's task: its prompt, the schema and checks of its reply, and a built-in expert. */
export type Role<I, O> = {
  /** Unique inside a debate; casts refer to it. */
  name: string;
  /** Compatible with strict mode: nullable, not optional; arrays of pairs, not maps. */
  reply: z.ZodType<O>;
  /** The shared part first, the role's own part last. */
  prompt(input: I): Prompt;
  /** Checks the grounding: evidence exists, spans are in the text, ids are known. */
  check?(reply: O, input: I): Problem[];
  /** Removes or flags exactly the faulty parts, when all problems are salvageable. */
  salvage?(reply: O, problems: Problem[], input: I): O;
  /** Plays this role offline and deterministically; null is an abstention. */
  expert?(input: I): O | null | Promise<O | null>;
  aids?: Aids<I, O>;
};

/** A role of any types, for lists. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRole = Role<any, any>;

/** Declares a role with its types inferred. */
export function defineRole<I, O>(role: Role<I, O>): Role<I, O> {
  return role;
}
