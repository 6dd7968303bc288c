import type { WorstCase, Usage } from "../contract/budget.ts";
import type { Prompt } from "../contract/prompt.ts";
import type { Problem, TurnKey } from "../contract/turn.ts";
import type { RenderedPrompt } from "./prompt.ts";
import type { Role } from "./role.ts";

export type Repair = { raw: string; problems: Problem[] };

/** A reservation in the budget, made before a call. Settle it with the real cost; otherwise it counts as spent. */
export type Reservation = { settle(spent: WorstCase): void };

/** Everything a player gets besides the role and its input. */
export type TurnContext = {
  key: TurnKey;
  prompt: Prompt;
  rendered: RenderedPrompt;
  requestHash: string;
  seed: number;
  signal: AbortSignal;
  repair: Repair | null;
  /** Reserves the worst case of the next call, durably; throws `budget_exhausted` when it does not fit. */
  reserve(worst: WorstCase): Promise<Reservation>;
  /** Receives text as it arrives, for live views. */
  onText(text: string): void;
};

/** A player's reply: text to be parsed (a model), or a value (a program or a form). */
export type Played = {
  reply: { text: string } | { value: unknown };
  usage: Usage;
  /** Why the player stopped, if known: "stop", "length", "content-filter", "reasoning-only"… */
  finish: string | null;
  /** The largest reply allowed, in tokens, if known. */
  outputLimit?: number;
  /** Deviations from the request, such as a schema put in the prompt because structured output was refused. */
  notes?: string[];
  /** True when asking again would bring the same reply, so no repair is tried. */
  final?: boolean;
  /** Set when a person lets the reply stand although it breaks a rule; the wrong shape is still refused. */
  overrule?: { by: string; why: string };
  /** The original speaker, when this player only repeats a recording. */
  saidBy?: string;
};

/** Plays a role: a model, an expert, a person or a recording. */
export type Player = {
  id: string;
  /** True when the same request always brings the same reply. */
  deterministic?: boolean;
  play<I, O>(role: Role<I, O>, input: I, turn: TurnContext): Promise<Played>;
};

/** Finds the player of a role. */
export type Cast = (roleName: string) => Player;
