import { ParleyError } from "../contract/error.ts";
import { type Holder, lookForProcess } from "./process-life.ts";

/**
 * A hold on a run that lasts as long as its holder shows signs of life. Each one has a higher epoch than those before it,
 * and what an earlier holder still writes is refused.
 */
export type Lease = {
  readonly epoch: number;
  /** Gives the run back; without effect when somebody else has it by now. */
  release(): Promise<void>;
};

export type LockOptions = {
  /** Takes the run even from a holder that is alive: its next entry is refused. */
  takeOver?: boolean;
  /**
   * Said by who stores the run at this moment, so that nobody else can have it: the lease may be given before it is
   * durable. What is written under it is stored after the run, or not at all.
   */
  isNew?: boolean;
};

/** A run that somebody holds, and whether that still counts: a lease runs out, and a holder can be known to be gone. */
export type HeldRun = { run: string; epoch: number; holder: Holder; state: LeaseState; leftMs: number };

export type LeaseState = "held" | "run_out" | "gone";

/** How long a holder without a sign of life keeps its runs, and how often one that is alive gives it. */
export const leaseMs = 45_000;
export const renewMs = 15_000;

/**
 * How a lease stands that was last renewed until `untilMs`, as seen by `self`. Whoever can be looked for needs no clock:
 * the clocks of two processes may be years apart.
 */
export function judgeLease(lease: { holder: Holder; untilMs: number }, self: Holder, nowMs: number): LeaseState {
  const life = lookForProcess(lease.holder, self);
  if (life !== "unknown") return life === "alive" ? "held" : "gone";
  return lease.untilMs <= nowMs ? "run_out" : "held";
}

/** Says that a run is taken, by whom, and for how long at most. */
export function createLockedError(run: string, { pid, host }: Holder, leftMs: number): ParleyError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ParleyError(
    "run_locked",
    `run ${run} is being run by process ${pid} on ${host}; wait for it, or stop it first. Should it be gone, the run is free in ${seconds} s; \`parley resume ${run} --take-over\` takes it now`,
  );
}

/** Says that a run was taken over, or has been written to by somebody else, since it was opened. */
export function createLostLeaseError(run: string): ParleyError {
  return new ParleyError(
    "lost_lease",
    `run ${run} was taken over by another process, which goes on with it; nothing more was written by this one`,
  );
}
