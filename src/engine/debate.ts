import type { Quorum } from "../contract/result.ts";
import type { Usage } from "../contract/budget.ts";
import type { Role } from "./role.ts";

/** An answer of `askAll`, in the order of the roles; abstentions are left out and counted. `first` is the reply before its repair, if it could be read. */
export type Answer<O> = { role: string; reply: O; player: string; first: O | null };

/** Everything a protocol can do. */
export type Debate = {
  /** For shuffles and sampling inside rules. */
  seed: number;
  /** Plays a role once and returns its valid reply; throws `Abstained` when none came. `step` defaults to the role's name. */
  ask<I, O>(role: Role<I, O>, input: I, step?: string): Promise<O>;
  /** As `ask`, but returns null for an abstention. */
  tryAsk<I, O>(role: Role<I, O>, input: I, step?: string): Promise<O | null>;
  /** Plays several roles in parallel under one step name; keeps their order. `onAnswers` receives the answers so far. */
  askAll<I, O>(
    step: string,
    roles: Role<I, O>[],
    inputOf: (role: Role<I, O>, index: number) => I,
    onAnswers?: (answers: Answer<O>[]) => void,
  ): Promise<Answer<O>[]>;
  /** Runs `body` as round `n`; turns asked inside belong to that round (0 outside any round). */
  round<T>(n: number, body: () => Promise<T>): Promise<T>;
  /** Records what a rule decided and why. */
  note(type: string, data: unknown): void;
  /** Sets how to decide if the debate stopped here; the last one set is used when a budget runs out. */
  standing(decide: () => unknown): void;
  /** True when the role was last played by its built-in program. Programs of one pack share one reading of the case. */
  isProgram(role: string): boolean;
  quorum(): Quorum;
  usage(): Usage;
};
