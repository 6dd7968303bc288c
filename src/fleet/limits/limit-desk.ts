import type { RateLimits } from "../../players/limits/rate-limiter.ts";

/** What was allowed: so many of the calls asked for, from the first on, charged to a slot; and how long to wait for the next. */
export type Grant = { granted: number; slot: number; waitMs: number };

/** Calls that were charged and not made, or tokens that were charged and not used. */
export type Return = { slot: number; requests: number; tokens: number };

export type MinuteLimits = Pick<RateLimits, "requestsPerMinute" | "tokensPerMinute">;

/** Where the calls of all workers are counted. */
export type LimitDesk = {
  /** Asks for calls, each with the tokens it may use; each allowed call must begin within the life of a share. */
  take(name: string, limits: MinuteLimits, wanted: number[]): Promise<Grant>;
  giveBack(name: string, returns: Return[]): Promise<void>;
  /** Lets nobody call for a while. */
  pause(name: string, ms: number): Promise<void>;
};

/** How long an allowed call may wait before it begins. */
export const shareLifeMs = 1_000;
/** How far back calls count: a minute, and as long as a share may have waited. */
export const reachMs = 60_000 + shareLifeMs;
/** Calls are counted by quarters of a second. */
export const slotMs = 250;
