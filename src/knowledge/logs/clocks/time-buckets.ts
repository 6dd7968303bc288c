/** What happened in one stretch of time; `votes` holds the majority candidate among the error shapes. */
export type TimeBucket = {
  start: number;
  events: number;
  errors: number;
  firstLine: number;
  firstErrorLine: number;
  file: string | null;
  errorShape: number;
  votes: number;
};

const maxBuckets = 4096;
const firstWidthMs = 1000;

/** Counts events and errors over time in at most 4096 buckets, doubling their width when there are more. */
export class TimeBuckets {
  widthMs = firstWidthMs;
  private buckets = new Map<number, TimeBucket>();
  private last: { index: number; bucket: TimeBucket } | null = null;

  add(timestamp: number, event: { line: number; file: string | null; isError: boolean; shape: number }): void {
    const index = Math.floor(timestamp / this.widthMs);
    const bucket = this.last?.index === index ? this.last.bucket : this.findBucket(index, event);
    bucket.events += 1;
    if (event.isError) countError(bucket, event);
  }

  private findBucket(index: number, event: { line: number; file: string | null }): TimeBucket {
    if (this.buckets.size >= maxBuckets && !this.buckets.has(index)) {
      this.widen();
      return this.findBucket(Math.floor(index / 2), event);
    }
    const bucket = this.buckets.get(index) ?? createBucket(index * this.widthMs, event);
    this.buckets.set(index, bucket);
    this.last = { index, bucket };
    return bucket;
  }

  /** All buckets in the order of time. */
  listInOrder(): TimeBucket[] {
    return [...this.buckets.values()].sort((a, b) => a.start - b.start);
  }

  private widen(): void {
    this.widthMs *= 2;
    const wider = joinBuckets(this.listInOrder(), this.widthMs);
    this.buckets = new Map(wider.map((bucket) => [Math.floor(bucket.start / this.widthMs), bucket]));
    this.last = null;
  }
}

/** Joins buckets, in the order of time, into wider ones. */
export function joinBuckets(buckets: readonly TimeBucket[], widthMs: number): TimeBucket[] {
  const wider: TimeBucket[] = [];
  for (const bucket of buckets) {
    const start = Math.floor(bucket.start / widthMs) * widthMs;
    const last = wider.at(-1);
    if (last?.start === start) join(last, bucket);
    else wider.push({ ...bucket, start });
  }
  return wider;
}

function createBucket(start: number, event: { line: number; file: string | null }): TimeBucket {
  const { line, file } = event;
  return { start, events: 0, errors: 0, firstLine: line, firstErrorLine: 0, file, errorShape: -1, votes: 0 };
}

function countError(bucket: TimeBucket, event: { line: number; file: string | null; shape: number }): void {
  bucket.errors += 1;
  if (bucket.firstErrorLine === 0) {
    bucket.firstErrorLine = event.line;
    bucket.file = event.file;
  }
  if (bucket.errorShape === event.shape) bucket.votes += 1;
  else if (bucket.votes === 0) {
    bucket.errorShape = event.shape;
    bucket.votes = 1;
  } else bucket.votes -= 1;
}

function join(into: TimeBucket, from: TimeBucket): void {
  into.events += from.events;
  into.errors += from.errors;
  if (into.firstErrorLine === 0 && from.firstErrorLine > 0) {
    into.firstErrorLine = from.firstErrorLine;
    into.file = from.file;
  }
  if (into.errorShape === from.errorShape) into.votes += from.votes;
  else if (from.votes > into.votes) {
    into.errorShape = from.errorShape;
    into.votes = from.votes - into.votes;
  } else into.votes -= from.votes;
}
