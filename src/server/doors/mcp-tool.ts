import type { Turn } from "../../contract/turn.ts";

/** A tool: what it is for, what it takes, and what it does. */
export type Tool = {
  description: string;
  inputSchema: Record<string, unknown>;
  /** Starts something that can be left to itself; gives the run's id. */
  begin?(given: unknown, during: During): Promise<string>;
  call(given: unknown, during: During): Promise<unknown>;
};

/** What a call may use while it runs: when to stop, and whom to tell of its turns. */
export type During = { signal: AbortSignal; onTurn(turn: Turn): void };
