/** A run that a server has taken up and not ended yet, and how often servers died over it. */
export type Served = { run: string; tries: number };

/** What a server keeps for the next one: which runs it has taken up, and what was spent on a day. */
export type Desk = {
  /** Takes a run up; counts how often it was. */
  serve(run: string): void;
  served(): Served[];
  /** Forgets a run that has ended, soon: should that be lost, the next server sees that the run has ended. */
  unserve(run: string): void;
  /** What was spent or set aside on a day, and keeping it. */
  spentOn(day: string): number;
  spend(day: string, usd: number): void;
  close(): void;
};
