import type { ParleyError } from "../contract/error.ts";
import type { Outcome } from "../contract/result.ts";
import type { Run, RunStatus } from "../contract/run.ts";

/** Which runs a page shows, newest first; `after` is the id that the page before ended with. */
export type PageFilter = {
  pack?: string;
  batch?: string;
  caseId?: string;
  status?: RunStatus;
  outcome?: Outcome;
  /** Made at this time or later, and before that time; ISO 8601 in UTC. */
  from?: string;
  to?: string;
  /** Words that must all be found, in the case, in one reply or in the decision. */
  text?: string;
  after?: string;
  limit: number;
};

/** A page of runs; `total` is counted up to a bound, and `exact` says that it was not reached. */
export type RunPage = {
  runs: Run[];
  next: string | null;
  total: { count: number; exact: boolean };
  /** Runs of this page that can no longer be read, and why. */
  damaged: { id: string; error: ParleyError }[];
};

/** As far as the runs of a filter are counted; with words, counting costs more. */
export const countedRuns = 10_000;
export const countedMatches = 200;
