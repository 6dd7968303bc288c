/** Who has taken a waiting run, and until when. */
export type Claim = { reviewer: string; until: string };

/** What the inbox knows of a run: since when it waits, who has it, and whether it was closed without going on. */
export type InboxEntry = { since: string; claim: Claim | null; closed: boolean };

/** A run that a server has taken up and not ended yet, and how often servers died over it. */
export type Served = { run: string; tries: number };

/**
 * What goes on around runs, beside the store: who is reviewing what, which runs a server has taken up, what was spent on a
 * day. Several processes use it at once; times are ISO 8601 in UTC and are always given.
 */
export type Desk = {
  /** Reads an entry; a run that is seen for the first time waits since `now`. */
  see(run: string, now: string): InboxEntry;
  /** Takes a run until a time, or renews that; false when somebody else has it at `now`. */
  claim(run: string, claim: Claim, now: string): boolean;
  /** Gives a run back; false when the reviewer does not have it. */
  release(run: string, reviewer: string): boolean;
  /** Takes a run out of the inbox, or (`false`) forgets all about it, so that it can wait anew. */
  settle(run: string, closed: boolean): void;
  /** Takes a run up; counts how often it was. */
  serve(run: string): void;
  served(): Served[];
  unserve(run: string): void;
  /** What was spent or set aside on a day, and keeping it. */
  spentOn(day: string): number;
  spend(day: string, usd: number): void;
  close(): void;
};
