import type { Quorum } from "../contract/result.ts";
import type { Usage } from "../contract/budget.ts";
import type { Role } from "./role.ts";

/**
 * An answer of `askAll`, in the order of the roles; roles that abstained are left out and counted. `player` says who gave it,
 * `first` is what it said before its reply was repaired, where that could be read.
 */
export type Answer<O> = { role: string; reply: O; player: string; first: O | null };

/** What a protocol sees of the world. */
export type Debate = {
  /** Seed of this run, for shuffles and sampling inside rules. */
  seed: number;
  /** Plays a role once and returns its valid reply; throws `Abstained` when none came. `step` defaults to the role's name. */
  ask<I, O>(role: Role<I, O>, input: I, step?: string): Promise<O>;
  /** As `ask`, but returns null for an abstention. */
  tryAsk<I, O>(role: Role<I, O>, input: I, step?: string): Promise<O | null>;
  /** Plays several roles in parallel under one step name; keeps their order. `onAnswers` is told the answers so far. */
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
  /** Says how to decide if the debate stopped here; the last one given is called when a budget runs out. */
  standing(decide: () => unknown): void;
  /** True when a role was last played by its built-in program: programs of one pack share one reading of the case. */
  isProgram(role: string): boolean;
  /** The turns so far. */
  quorum(): Quorum;
  /** What the turns so far cost. */
  usage(): Usage;
};
