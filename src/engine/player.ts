import type { WorstCase, Usage } from "../contract/budget.ts";
import type { Prompt } from "../contract/prompt.ts";
import type { Problem, TurnKey } from "../contract/turn.ts";
import type { RenderedPrompt } from "./prompt.ts";
import type { Role } from "./role.ts";

/** The reply that is to be repaired, and what was wrong with it. */
export type Repair = { raw: string; problems: Problem[] };

/** A place in the budget, taken before a call. Settle it with what the call really cost; unsettled counts as spent. */
export type Reservation = { settle(spent: WorstCase): void };

/** What a player is given besides the role and its input. */
export type TurnContext = {
  key: TurnKey;
  prompt: Prompt;
  /** The prompt as text. */
  rendered: RenderedPrompt;
  requestHash: string;
  seed: number;
  signal: AbortSignal;
  repair: Repair | null;
  /** Reserves the worst case of the next call, durably; throws `budget_exhausted` when it does not fit. */
  reserve(worst: WorstCase): Promise<Reservation>;
  /** Text as it arrives, for a live view. */
  onText(text: string): void;
};

/** A tool that a player called before it replied. */
export type ToolUse = { name: string; input: unknown; output: unknown };

/** What came back: text that the engine reads (a model), or a value (a program or a person's form). */
export type Played = {
  reply: { text: string } | { value: unknown };
  usage: Usage;
  /** Why the player stopped, when it says: "stop", "length", "content-filter", "reasoning-only"… */
  finish: string | null;
  /** The most tokens that the reply could have, when the player knows. */
  outputLimit?: number;
  /** Deviations from the request, such as a schema put in the prompt because structured output was refused. */
  notes?: string[];
  /** The tools that were called on the way, with what they gave. */
  tools?: ToolUse[];
  /** True when asking again would bring the same reply, so no repair turn is held. */
  final?: boolean;
  /** The person who lets the reply stand although it breaks a rule, and why; a reply of the wrong shape is still refused. */
  overrule?: { by: string; why: string };
  /** Who said it, where the player only repeats what another one said. */
  saidBy?: string;
};

/** Who plays a role: a model, an expert, a person, a recording. */
export type Player = {
  id: string;
  /** True when the same request always brings the same reply, so that asking it again tells nothing new. */
  deterministic?: boolean;
  play<I, O>(role: Role<I, O>, input: I, turn: TurnContext): Promise<Played>;
};

/** The player of each role. */
export type Cast = (roleName: string) => Player;
