/** A point estimate with the bounds of its confidence interval. */
export type Interval = { estimate: number; low: number; high: number };
