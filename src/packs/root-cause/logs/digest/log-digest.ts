import type { ReadEvent } from "../header/header-format.ts";
import { copyOf } from "../mine/shape-table.ts";
import { type MinedTemplates, TemplateMiner } from "../mine/template-miner.ts";
import type { Level } from "../parsed-log.ts";
import { EntityCounter, type EntityTally } from "./entity-counter.ts";
import { entityPlaces } from "./entity-places.ts";
import { errorType, namesException } from "./error-type.ts";
import { FirstErrorScene } from "./first-error-scene.ts";
import { inferLevel } from "./infer-level.ts";
import { type KeptEvent, keepEvent } from "./kept-event.ts";
import { isBad, joinFacts, maxErrorTypes, maxKept, newFacts, type ShapeFacts, worse } from "./shape-facts.ts";
import { SourceClocks } from "./source-clocks.ts";
import { TimeBuckets } from "./time-buckets.ts";

/** Only events between these times count; null is open. */
export type TimeWindow = { sinceMs: number | null; untilMs: number | null };

/** Everything that one pass over the events gathers, in bounded memory; the parsed log is made of it. */
export class LogDigest {
  readonly miner = new TemplateMiner<ShapeFacts>({ create: newFacts, join: joinFacts });
  readonly buckets = new TimeBuckets();
  readonly entities = new EntityCounter();
  readonly clocks = new SourceClocks();
  readonly scene = new FirstErrorScene();
  /** Events of each level, and of none. */
  readonly byLevel = new Map<Level | null, number>();
  events = 0;
  referenceEvents = 0;
  outsideWindow = 0;
  firstTimestamp: number | null = null;
  lastTimestamp: number | null = null;
  readonly firstOfLevel = new Map<Level, KeptEvent>();
  private readonly window: TimeWindow;
  private inWindow = true;
  private hostTally: EntityTally | null = null;

  constructor(window: TimeWindow) {
    this.window = window;
  }

  /** Counts an event of the fault-free reference: only how often its template occurs. */
  addReference(event: ReadEvent): number {
    const shape = this.miner.add(event.message);
    shape.data.referenceCount += 1;
    this.referenceEvents += 1;
    return shape.id;
  }

  /** Adds an event of the log; returns the id of its shape, or -1 when it is outside the window. */
  add(event: ReadEvent, file: string | null): number {
    if (!this.isInside(event.timestamp)) {
      this.outsideWindow += 1;
      return -1;
    }
    const shape = this.miner.add(event.message);
    const facts = shape.data;
    if (facts.entities === null) this.describe(facts, event);
    const level = event.level ?? facts.inferred;
    const isError = isBad(level);
    const at = { order: this.events, shape: shape.id, file };
    const seen = { line: event.line, file, isError, shape: shape.id };
    this.events += 1;
    this.byLevel.set(level, (this.byLevel.get(level) ?? 0) + 1);
    this.countIn(facts, event, at, isError);
    if (event.timestamp !== null) this.countTime(event.timestamp, event, seen);
    if (facts.entities) this.entities.addMessage(event.message, this.miner.elements, facts.entities, seen);
    if (event.component !== null)
      facts.componentTally = this.entities.again(facts.componentTally, "component", event.component, seen);
    if (event.host !== null) this.hostTally = this.entities.again(this.hostTally, "host", event.host, seen);
    if (event.service !== null) this.entities.add("service", event.service, seen);
    this.scene.add(event, at, isError);
    if (level !== null && !this.firstOfLevel.has(level)) this.firstOfLevel.set(level, keepEvent(event, at));
    return shape.id;
  }

  finish(): MinedTemplates<ShapeFacts> {
    return this.miner.finish();
  }

  private isInside(timestamp: number | null): boolean {
    const { sinceMs, untilMs } = this.window;
    if (timestamp !== null) {
      this.inWindow = (sinceMs === null || timestamp >= sinceMs) && (untilMs === null || timestamp <= untilMs);
    }
    return this.inWindow;
  }

  /** What depends on the words only is found once for each shape. */
  private describe(facts: ShapeFacts, event: ReadEvent): void {
    facts.entities = entityPlaces(event.message, this.miner.elements);
    facts.inferred = inferLevel(event.message);
    facts.component = event.component === null ? null : copyOf(event.component);
    facts.level = event.level ?? facts.inferred;
  }

  private countIn(facts: ShapeFacts, event: ReadEvent, at: Parameters<typeof keepEvent>[1], isError: boolean): void {
    facts.count += 1;
    if (event.level !== null && event.level !== facts.level) facts.level = worse(facts.level, event.level);
    facts.last.line = event.line;
    facts.last.timestamp = event.timestamp;
    if (facts.count > 2 && !(isError && facts.count <= 2 * maxKept)) {
      if (event.extra !== null && facts.errors.length > 0) countError(facts, event, null);
      return;
    }
    const kept = keepEvent(event, at);
    facts.first ??= kept;
    if (facts.kept.length < maxKept) facts.kept.push(kept);
    if (isError || namesException(event.message, event.extra)) countError(facts, event, kept);
  }

  private countTime(timestamp: number, event: ReadEvent, seen: Parameters<TimeBuckets["add"]>[1]): void {
    this.firstTimestamp = this.firstTimestamp === null ? timestamp : Math.min(this.firstTimestamp, timestamp);
    this.lastTimestamp = this.lastTimestamp === null ? timestamp : Math.max(this.lastTimestamp, timestamp);
    this.buckets.add(timestamp, seen);
    this.clocks.add(timestamp, event.line, seen.file);
  }
}

/** Tells the kinds of errors of one shape apart, as far as there are few. */
function countError(facts: ShapeFacts, event: ReadEvent, kept: KeptEvent | null): void {
  const type = errorType(event.message, event.extra) ?? "Error";
  const known = facts.errors.find((seen) => seen.type === type);
  if (known) known.count += 1;
  else if (kept !== null && facts.errors.length < maxErrorTypes) facts.errors.push({ type, count: 1, event: kept });
}
