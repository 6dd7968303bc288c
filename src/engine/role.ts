import type * as z from "zod";
import type { Prompt } from "../contract/prompt.ts";
import type { Problem } from "../contract/turn.ts";

/**
 * What a role can answer in a turn, for players that choose an answer instead of reasoning for one. `about` names the case,
 * `heard` is where others stood last, `own` where the speaker itself stood.
 */
export type Positions<O> = {
  about: string;
  answers: readonly string[];
  heard: readonly string[];
  own: { answer: string; confidence: number } | null;
  say(answer: string, confidence: number): O;
};

/** The bare question behind a role's prompt, for players that replay answers recorded elsewhere. */
export type Recall<O> = {
  question: string;
  choices: readonly { key: string; text: string }[];
  /** The reply of a model that answered so, with these words if they are known; null is no answer. */
  say(answer: string | null, confidence: number, words: string | null): O;
};

/** What experiments need to know of a role. */
type Experiment<I, O> = {
  /** The answers that this role can give to an input, for synthetic speakers; null when they cannot be told beforehand. */
  positions?(input: I): Positions<O> | null;
  /** What is asked, when nobody else has spoken yet; null once others were heard. */
  recall?(input: I): Recall<O> | null;
  /**
   * What a reply to one input says of another, where it speaks of things by number or label: each keeps what was said of
   * it. For asking what would have been decided had somebody else been silent.
   */
  carry?(reply: O, from: I, to: I): O;
};

/** What a speaker must do: what it is told, the schema of its reply, how the reply is grounded, and a built-in expert. */
export type Role<I, O> = {
  /** Unique inside a debate; what a cast maps to a player. */
  name: string;
  /** The reply as a player must give it: strict-mode friendly (nullable, not optional; arrays of pairs, not maps). */
  reply: z.ZodType<O>;
  /** What the role is told; the common part first, its own part last. */
  prompt(input: I): Prompt;
  /** Grounding: evidence exists, spans are in the text, ids are known. */
  check?(reply: O, input: I): Problem[];
  /** What is kept when only salvageable problems remain: strikes, flags or cuts exactly what is wrong. */
  salvage?(reply: O, problems: Problem[], input: I): O;
  /** A deterministic program that plays this role from its input, offline; null means it has no answer and abstains. */
  expert?(input: I): O | null | Promise<O | null>;
  /** Used by experiments, not by ordinary debates. */
  experiment?: Experiment<I, O>;
};

/** A role whose types do not matter here: for lists of roles. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRole = Role<any, any>;

/** Declares a role with its types inferred. */
export function defineRole<I, O>(role: Role<I, O>): Role<I, O> {
  return role;
}
