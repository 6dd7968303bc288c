/** Who has taken a waiting run, and until when. */
export type Claim = { reviewer: string; until: string };

/** What is known of a run that waits: since when, who has it, whether it was closed without going on, and what time it is. */
export type InboxEntry = { since: string; claim: Claim | null; closed: boolean; now: string };

/**
 * What a store knows of runs that wait for a person; all who share the store share it. Times are ISO 8601 in UTC; `now`
 * is the caller's, and a store that has a clock of its own goes by that.
 */
export type Inbox = {
  /** Reads entries by run; a run that is seen for the first time waits since `now`. */
  see(runs: readonly string[], now: string): Promise<Map<string, InboxEntry>>;
  /** Takes a run for a while, or renews that; null when somebody else has it at `now`. */
  claim(run: string, by: { reviewer: string; leaseMs: number }, now: string): Promise<Claim | null>;
  /** Gives a run back; false when the reviewer does not have it. */
  release(run: string, reviewer: string): Promise<boolean>;
  /** Takes a run out of the inbox, or (`false`) forgets all about it, so that it can wait anew. */
  settle(run: string, closed: boolean): Promise<void>;
};

/** A row as it is kept. */
export type InboxRow = { since: string; reviewer: string | null; until: string | null; closed: boolean };

/** A claim whose time is over has returned. */
export function readInboxRow({ since, reviewer, until, closed }: InboxRow, now: string): InboxEntry {
  const isHeld = reviewer !== null && until !== null && until > now;
  return { since, claim: isHeld ? { reviewer, until } : null, closed, now };
}

/** When a claim that begins now ends. */
export function endOfLease(now: string, leaseMs: number): string {
  return new Date(Date.parse(now) + leaseMs).toISOString();
}

/** An inbox that lives as long as the process. */
export function memoryInbox(): Inbox {
  const rows = new Map<string, InboxRow>();
  const open = (run: string, now: string): InboxRow => {
    const row = rows.get(run) ?? { since: now, reviewer: null, until: null, closed: false };
    rows.set(run, row);
    return row;
  };
  return {
    see: async (runs, now) => new Map(runs.map((run) => [run, readInboxRow(open(run, now), now)])),
    async claim(run, { reviewer, leaseMs }, now) {
      const { claim } = readInboxRow(open(run, now), now);
      if (claim && claim.reviewer !== reviewer) return null;
      const until = endOfLease(now, leaseMs);
      Object.assign(open(run, now), { reviewer, until });
      return { reviewer, until };
    },
    async release(run, reviewer) {
      const row = rows.get(run);
      if (row?.reviewer !== reviewer) return false;
      Object.assign(row, { reviewer: null, until: null });
      return true;
    },
    async settle(run, closed) {
      const row = rows.get(run);
      if (!closed) rows.delete(run);
      else if (row) Object.assign(row, { closed, reviewer: null, until: null });
    },
  };
}
